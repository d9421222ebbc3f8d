//! Owns where push messages may go: to the services of the browsers' makers, by https, at public addresses. An endpoint is
//! what a phone says that it is, and this server sits in somebody's network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use walkies_core::values::bounds;

/// The services of Chrome, Firefox, Safari and Edge, with all below them.
pub const HOSTS: [&str; 5] = [
    "fcm.googleapis.com",
    "jmt17.google.com",
    "updates.push.services.mozilla.com",
    "web.push.apple.com",
    "notify.windows.com",
];

/// Push services to which messages may go.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// Hosts, in small letters; those below them are allowed too.
    pub hosts: Vec<String>,
    /// A service on this very machine, as in `http://127.0.0.1:9876`, to try push out with no network.
    pub local: Option<String>,
}

impl Default for Allowed {
    fn default() -> Self {
        Self {
            hosts: HOSTS.map(str::to_owned).to_vec(),
            local: None,
        }
    }
}

impl Allowed {
    /// The endpoint, if messages may go there.
    pub fn endpoint(&self, text: &str) -> Option<Url> {
        if bounds::TEXT < text.len() {
            return None;
        }
        let url = Url::parse(text).ok()?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user || url.fragment().is_some() {
            return None;
        }
        let is_local = self.local.as_deref() == Some(&url.origin().ascii_serialization());
        let is_https = url.scheme() == "https" && url.port().is_none();
        let is_allowed = is_local || is_https && url.host_str().is_some_and(|it| self.host(it));
        is_allowed.then_some(url)
    }

    fn host(&self, host: &str) -> bool {
        self.hosts.iter().any(|allowed| {
            host.strip_suffix(allowed.as_str())
                .is_some_and(|it| it.is_empty() || it.ends_with('.'))
        })
    }
}

/// The error of a name that leads to private addresses alone.
pub const NO_PUBLIC_ADDRESS: &str = "the host has no public address";

/// Finds addresses anew for every connection, and only public ones: a name that is allowed today may lead anywhere
/// tomorrow.
#[derive(Clone, Copy, Debug)]
pub struct PublicAddresses;

impl Resolve for PublicAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|it| is_public(it.ip())).collect();
            if public.is_empty() {
                return Err(NO_PUBLIC_ADDRESS.into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

/// Returns true if an address is public on the internet, and none of a private network, of this machine, or of a
/// cloud's metadata service, which gives out secrets (IANA's registries of special-purpose addresses).
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        || 240 <= a
        || (a == 100 && (64..128).contains(&b))
        || (a == 198 && (18..20).contains(&b))
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99);
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    if [a, b, c, d, e, f] == [0x64, 0xff9b, 0, 0, 0, 0] {
        // NAT64: an address of IPv4 in other words.
        let [high, low] = [g.to_be_bytes(), h.to_be_bytes()];
        return is_public_v4(Ipv4Addr::new(high[0], high[1], low[0], low[1]));
    }
    let is_global = (0x2000..0x4000).contains(&a);
    let is_special = a == 0x2002 || (a == 0x2001 && (b < 0x200 || b == 0xdb8)) || a == 0x3fff;
    is_global && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_to_push_services_and_nowhere_else() {
        let allowed = Allowed::default();
        for endpoint in [
            "https://fcm.googleapis.com/fcm/send/abc:APA91b-x_y",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
            "https://web.push.apple.com/QGuQyavXutnMH",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%2bx",
            "https://FCM.googleapis.com:443/fcm/send/a",
        ] {
            assert!(allowed.endpoint(endpoint).is_some(), "{endpoint}");
        }
        for endpoint in [
            "",
            "fcm.googleapis.com/fcm/send/a",
            "http://fcm.googleapis.com/a",
            "https://fcm.googleapis.com:8443/a",
            "https://fcm.googleapis.com.evil.example/a",
            "https://evilfcm.googleapis.com/a",
            "https://fcm.googleapis.com./a",
            "https://user@fcm.googleapis.com/a",
            "https://user:secret@fcm.googleapis.com/a",
            "https://fcm.googleapis.com@evil.example/a",
            "https://evil.example/https://fcm.googleapis.com/a",
            "https://evil.example\\@fcm.googleapis.com/a",
            "https://fcm.googleapis.com/a#b",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/a",
            "https://[::ffff:127.0.0.1]/a",
            "https://0x7f000001/a",
            "https://2130706433/a",
            "https://localhost/a",
            "file:///etc/passwd",
            "gopher://fcm.googleapis.com/a",
            "http://127.0.0.1:9876/a",
        ] {
            assert!(allowed.endpoint(endpoint).is_none(), "{endpoint}");
        }
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(bounds::TEXT));
        assert!(allowed.endpoint(&long).is_none());
    }

    #[test]
    fn a_local_service_is_one_origin_to_the_letter() {
        let allowed = Allowed {
            local: Some("http://127.0.0.1:9876".to_owned()),
            ..Allowed::default()
        };
        assert!(allowed.endpoint("http://127.0.0.1:9876/push/1").is_some());
        for endpoint in [
            "http://127.0.0.1:9877/a",
            "https://127.0.0.1:9876/a",
            "http://127.0.0.1/a",
            "http://localhost:9876/a",
            "http://a@127.0.0.1:9876/a",
        ] {
            assert!(allowed.endpoint(endpoint).is_none(), "{endpoint}");
        }
    }

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        let is_public = |it: &str| is_public(it.parse().expect("an address"));
        for address in [
            "142.250.74.10",
            "17.57.146.20",
            "2a00:1450:400f::200a",
            "64:ff9b::8efa:4a0a",
        ] {
            assert!(is_public(address), "{address}");
        }
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.168.1.1",
            "192.88.99.1",
            "198.18.0.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address), "{address}");
        }
    }

    #[tokio::test]
    async fn a_name_of_this_machine_leads_nowhere() {
        let name = "localhost".parse().expect("a name");
        assert!(PublicAddresses.resolve(name).await.is_err());
    }
}
