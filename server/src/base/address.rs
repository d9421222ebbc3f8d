//! Owns the addresses of callers: which one a call comes from, and the networks that limits count.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

/// The address that a call comes from; behind a proxy it is the one that the proxy has added.
pub(crate) fn caller_ip(
    behind_proxy: bool,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map(|it| it.0.ip());
    // Only the last address was written by our own proxy; those before it are the caller's to invent.
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let forwarded = forwarded.and_then(|it| ip_of(it.to_str().ok()?.rsplit(',').next()?.trim()));
    forwarded.filter(|_| behind_proxy).or(peer)
}

/// An address as proxies write it, some with a port.
fn ip_of(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse().ok().map(|it: SocketAddr| it.ip());
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(with_port)
}

/// Returns the network that counts as one caller: an address of IPv4, and of IPv6 the network of 64 bits that one
/// customer has.
pub(crate) fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            format!("{}/64", Ipv6Addr::from_bits(network))
        }
    }
}

/// The network of this many bits around an address; none around one of IPv4.
pub(crate) fn network_around(address: &str, bits: u32) -> Option<String> {
    let network: Ipv6Addr = address.strip_suffix("/64")?.parse().ok()?;
    let rest = 128 - bits;
    let around = Ipv6Addr::from_bits(network.to_bits() >> rest << rest);
    Some(format!("{around}/{bits}"))
}

/// Names the widest network that is certainly one caller: an address of IPv4, or the network of 48 bits of IPv6 that a
/// provider gives one customer at most.
pub(crate) fn widest_network(address: &str) -> String {
    network_around(address, 48).unwrap_or_else(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_a_network_of_addresses_counts_as_one() {
        for (address, network) in [
            ("192.0.2.7", "192.0.2.7"),
            ("192.0.2.7:4711", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
            ("[2001:db8:1:3::9]", "2001:db8:1:3::/64"),
        ] {
            let found = ip_of(address).map(network_of);
            assert_eq!(found.as_deref(), Some(network), "{address}");
        }
        assert_eq!(ip_of("unknown"), None);
    }

    #[test]
    fn networks_around_an_address_of_ipv6_are_cut_to_their_bits() {
        for (address, widest) in [
            ("192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2::/64", "2001:db8:1::/48"),
            ("2001:db8:1:ffff::/64", "2001:db8:1::/48"),
            ("2001:db8:2:2::/64", "2001:db8:2::/48"),
            ("", ""),
        ] {
            assert_eq!(widest_network(address), widest);
        }
        let around = network_around("2001:db8:1:2ff::/64", 56);
        assert_eq!(around.as_deref(), Some("2001:db8:1:200::/56"));
    }
}
