//! Serves the app that is built into this binary: its pages, their headers, and how long each file may be kept.
//! It knows nothing of the API; unknown paths below `/api` are never answered with a page.

use std::borrow::Cow;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    HeaderName, REFERRER_POLICY, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, PreEscaped, html as markup};
use rust_embed::{Embed, EmbeddedFile};

use crate::app::settings::Settings;
use crate::http::compressed::{accepts, gzipped_file, matches_etag};

/// In a release the files are in the binary; in a debug build they are read from the folder at each request.
#[derive(Embed)]
#[folder = "../pwa/dist"]
struct Dist;

/// Headers of a page of ours: it may run our own scripts and WebAssembly, show our own pictures and talk to us. Scripts
/// from strings are out of reach (Trusted Types), and so is every other site.
pub const PAGE_HEADERS: [(HeaderName, HeaderValue); 7] = [
    (
        HeaderName::from_static("content-security-policy"),
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; \
             media-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; font-src 'self'; \
             object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        ),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static(
            "geolocation=(self), camera=(self), screen-wake-lock=(self), microphone=(), payment=(), usb=()",
        ),
    ),
    // The origin alone to others: map servers refuse requests that do not say where they come from.
    (
        HeaderName::from_static("referrer-policy"),
        HeaderValue::from_static("strict-origin-when-cross-origin"),
    ),
    (
        HeaderName::from_static("strict-transport-security"),
        HeaderValue::from_static("max-age=31536000; includeSubDomains"),
    ),
    NOSNIFF,
    (
        HeaderName::from_static("x-frame-options"),
        HeaderValue::from_static("DENY"),
    ),
];

/// A script may run as a worker, whose policy is that of its own answer.
pub const SCRIPT_HEADERS: [(HeaderName, HeaderValue); 2] = [
    (
        HeaderName::from_static("content-security-policy"),
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; require-trusted-types-for 'script'",
        ),
    ),
    NOSNIFF,
];

/// Headers of assets that are no scripts, which do nothing by themselves; they are few, since a first load has many
/// such files.
pub const FILE_HEADERS: [(HeaderName, HeaderValue); 1] = [NOSNIFF];

const NOSNIFF: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-content-type-options"),
    HeaderValue::from_static("nosniff"),
);

/// Returns the security headers for a path: those of a script, of another asset or of a page.
fn headers_of(path: &str) -> Vec<(HeaderName, HeaderValue)> {
    if path.ends_with(".js") {
        SCRIPT_HEADERS.to_vec()
    } else if path.starts_with("/assets/") {
        FILE_HEADERS.to_vec()
    } else {
        PAGE_HEADERS.to_vec()
    }
}

/// Preview of a link in a chat, before anybody opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Title of the page.
    pub title: String,
    /// Under the title.
    pub sentence: String,
    /// The whole address of its picture.
    pub picture: String,
    /// The whole address of the page.
    pub url: String,
    /// HTML for browsers without scripts; none where the page has nothing to show them.
    pub without_scripts: Option<String>,
}

impl Preview {
    /// A page of the app that says so in its head; without a page of the app, one that says nothing else.
    fn write_into(&self, page: Option<&str>) -> String {
        let head = markup! {
            title { (self.title) }
            meta name="description" content=(self.sentence);
            meta property="og:title" content=(self.title);
            meta property="og:description" content=(self.sentence);
            meta property="og:image" content=(self.picture);
            meta property="og:url" content=(self.url);
            meta property="og:type" content="website";
            meta name="twitter:card" content="summary";
        };
        let head = head.into_string();
        let titled = page.and_then(|page| {
            let (before, rest) = page.split_once("<title>")?;
            let (_, after) = rest.split_once("</title>")?;
            Some([before, &head, &self.for_no_scripts(after)].concat())
        });
        titled.unwrap_or_else(|| {
            let body = match &self.without_scripts {
                Some(shown) => PreEscaped(shown.clone()),
                None => markup! { h1 { (self.title) } p { (self.sentence) } },
            };
            let page = markup! { (DOCTYPE) html lang="en" { head { (PreEscaped(head)) } body { (body) } } };
            page.into_string()
        })
    }

    /// The rest of a page with what browsers without scripts show of it.
    fn for_no_scripts(&self, rest: &str) -> String {
        let parts = self.without_scripts.as_ref().and_then(|shown| {
            let (before, inner) = rest.split_once("<noscript>")?;
            let (_, after) = inner.split_once("</noscript>")?;
            Some([before, "<noscript>", shown, "</noscript>", after].concat())
        });
        parts.unwrap_or_else(|| rest.to_owned())
    }
}

/// Answers what no other route answers: with a file of the app, or with its page where a person goes to a screen. Where
/// pictures of the map come from elsewhere, pages may load them from there.
pub fn serve(request: Request, settings: &Settings) -> Response {
    serve_with(request, settings, None)
}

/// The same of a link that says something of itself.
pub fn serve_with(request: Request, settings: &Settings, preview: Option<&Preview>) -> Response {
    let previewed = match (preview, request.method()) {
        (Some(preview), &(Method::GET | Method::HEAD)) => {
            Some(previewed(request.uri().path(), preview, Dist::get))
        }
        _ => None,
    };
    let mut response = previewed.unwrap_or_else(|| {
        let (path, headers) = (request.uri().path(), request.headers());
        answer(request.method(), path, headers, Dist::get)
    });
    for (name, value) in headers_of(request.uri().path()) {
        response.headers_mut().insert(name, value);
    }
    if let Some(pictures) = &settings.map_pictures
        && let Some(policy) = response.headers_mut().get_mut(CONTENT_SECURITY_POLICY)
        && let Ok(ours) = policy.to_str()
        && let Ok(wider) = HeaderValue::from_str(
            &ours.replace("img-src ", &format!("img-src {} ", pictures.origin)),
        )
    {
        *policy = wider;
    }
    if public_page(request.uri().path()).is_some() {
        // Its address is a secret.
        response
            .headers_mut()
            .insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    response
}

/// Path of shared reports.
pub const REPORTS: &str = "/report/";
const INVOICES: &str = "/invoice/";
/// The path of the page that stops mail.
const MAIL: &str = "/mail/stop/";

/// How the address of a page begins that is for people without an account, and all that it takes to see it.
pub fn public_page(path: &str) -> Option<&'static str> {
    [REPORTS, INVOICES, MAIL]
        .into_iter()
        .find(|it| path.starts_with(it))
}

type File = fn(&str) -> Option<EmbeddedFile>;

/// The page of a link with what the link says of itself, which nobody keeps.
fn previewed(path: &str, preview: &Preview, file: File) -> Response {
    let page = file(page_at(path));
    let page = page.and_then(|it| String::from_utf8(it.data.into_owned()).ok());
    let headers = [
        (CONTENT_TYPE, content_type("index.html")),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, preview.write_into(page.as_deref())).into_response()
}

/// The page that shows what is at this path.
fn page_at(path: &str) -> &'static str {
    if path.starts_with(REPORTS) {
        "report.html"
    } else {
        "index.html"
    }
}

fn answer(method: &Method, path: &str, headers: &HeaderMap, file: File) -> Response {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")]).into_response();
    }
    let name = path.trim_start_matches('/');
    let found = if name.ends_with(".br") {
        None
    } else {
        file(name).map(|it| (name, it))
    };
    let page = page_at(path);
    let found =
        found.or_else(|| is_navigation(name, headers).then(|| file(page).map(|it| (page, it)))?);
    let Some((name, whole)) = found else {
        return (StatusCode::NOT_FOUND, "Not found.").into_response();
    };
    let tag = etag(&whole);
    let mut response = if matches_etag(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let brotli = accepts(headers, "br")
            .then(|| file(&format!("{name}.br")))
            .flatten();
        let (encoding, bytes) = match brotli {
            Some(brotli) => (Some("br"), in_place(brotli)),
            None => {
                let gzip = accepts(headers, "gzip")
                    .then(|| gzipped_file(&tag, &whole.data, content_type(name)))
                    .flatten();
                let encoding = gzip.is_some().then_some("gzip");
                (encoding, gzip.unwrap_or_else(|| in_place(whole)))
            }
        };
        let mut response = Body::from(bytes).into_response();
        if let Some(encoding) = encoding {
            response
                .headers_mut()
                .insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control(name)));
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(ETAG, tag);
    response
}

/// The bytes of a file where they are: no copy for each one who takes them in.
fn in_place(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    }
}

/// Returns true if a person navigates to a screen: the app finds out by the path which one. A script or a picture that
/// is missing must not be answered with a page, which would then be kept in its place. The root path is a page to
/// everyone.
fn is_navigation(name: &str, headers: &HeaderMap) -> bool {
    if name.is_empty() {
        return true;
    }
    let last = name.rsplit('/').next().unwrap_or(name);
    let accepted = headers.get(ACCEPT).and_then(|it| it.to_str().ok());
    let wants_page = match accepted {
        Some(it) if it.contains("text/html") => true,
        Some(it) => is_sent_around(name) && it.contains("*/*"),
        None => is_sent_around(name),
    };
    wants_page && !last.contains('.') && name != "api" && !name.starts_with("api/")
}

/// Returns true if people send each other this address: programs that fetch a preview accept anything.
fn is_sent_around(name: &str) -> bool {
    name == "client" || name.starts_with("report/")
}

/// Returns how long a file may be cached: for a year below `assets/`, where the bundler puts a hash of the contents in
/// each name; never for the page of a report; anything else after a check with the server.
fn cache_control(name: &str) -> &'static str {
    if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else if name == "report.html" {
        "no-store"
    } else {
        "no-cache"
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("ico") => "image/x-icon",
        Some("jpg") => "image/jpeg",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("webp") => "image/webp",
        Some("webmanifest") => "application/manifest+json",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// Weak, because the same tag stands for the file and for its brotli form.
fn etag(file: &EmbeddedFile) -> HeaderValue {
    let hash = file.metadata.sha256_hash();
    let hex: String = hash
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    HeaderValue::try_from(format!("W/\"{hex}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::service::ExternalService;
    use axum::http::header::{
        ACCEPT_ENCODING, IF_NONE_MATCH, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
    };
    use rust_embed::Metadata;

    fn built(name: &str) -> Option<EmbeddedFile> {
        let (number, data): (u8, &[u8]) = match name {
            "index.html" => (1, b"<!doctype html>"),
            "report.html" => (6, b"<!doctype html><title>A walk</title>"),
            "sw.js" => (2, b"self"),
            "manifest.webmanifest" => (3, b"{}"),
            "assets/core-3f2a.wasm" => (4, b"\0asm"),
            "assets/core-3f2a.wasm.br" => (5, b"small"),
            _ => return None,
        };
        let metadata = Metadata::__rust_embed_new([number; 32], None, None);
        Some(EmbeddedFile {
            data: data.into(),
            metadata,
        })
    }

    fn get(path: &str, headers: &[(HeaderName, &'static str)]) -> Response {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect();
        answer(&Method::GET, path, &headers, built)
    }

    fn header(response: &Response, name: HeaderName) -> &str {
        response
            .headers()
            .get(name)
            .and_then(|it| it.to_str().ok())
            .unwrap_or_default()
    }

    async fn body(response: Response) -> Vec<u8> {
        axum::body::to_bytes(response.into_body(), 1024)
            .await
            .expect("a body")
            .to_vec()
    }

    const PAGE: (HeaderName, &str) = (ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8");

    #[test]
    fn a_page_shows_browsers_without_scripts_what_its_preview_has_for_them() {
        let page = "<title>A walk</title><div></div><noscript>This page needs JavaScript.</noscript></body>";
        let mut preview = Preview {
            title: "A walk with Rex".to_owned(),
            sentence: String::new(),
            picture: String::new(),
            url: String::new(),
            without_scripts: Some("<main>Good dog</main>".to_owned()),
        };
        let shown = preview.write_into(Some(page));
        assert!(
            shown.ends_with("<div></div><noscript><main>Good dog</main></noscript></body>"),
            "{shown}"
        );
        preview.without_scripts = None;
        let shown = preview.write_into(Some(page));
        assert!(
            shown.ends_with("<noscript>This page needs JavaScript.</noscript></body>"),
            "{shown}"
        );
    }

    #[tokio::test]
    async fn going_to_a_screen_gets_the_page() {
        for path in ["/", "/scheduling", "/auth/login", "/invoices"] {
            let response = get(path, &[PAGE]);
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            assert_eq!(header(&response, CONTENT_TYPE), "text/html; charset=utf-8");
            assert_eq!(header(&response, CACHE_CONTROL), "no-cache");
            assert_eq!(body(response).await, b"<!doctype html>");
        }
    }

    #[tokio::test]
    async fn the_front_door_is_a_page_also_to_those_who_do_not_say_what_they_take() {
        for headers in [&[][..], &[(ACCEPT, "*/*")]] {
            assert_eq!(body(get("/", headers)).await, b"<!doctype html>");
        }
        let head = answer(&Method::HEAD, "/", &HeaderMap::new(), built);
        assert_eq!(head.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn a_shared_report_has_a_page_of_its_own_that_nobody_keeps() {
        let response = get("/report/0f3JpQ7xTzSx5mN8dVb2Kg", &[PAGE]);
        assert_eq!(header(&response, CACHE_CONTROL), "no-store");
        assert_eq!(
            body(response).await,
            b"<!doctype html><title>A walk</title>"
        );
    }

    #[tokio::test]
    async fn a_link_that_people_send_is_a_page_also_to_what_previews_it() {
        for path in ["/client", "/report/0f3JpQ7xTzSx5mN8dVb2Kg"] {
            for headers in [&[][..], &[(ACCEPT, "*/*")]] {
                let response = get(path, headers);
                assert_eq!(response.status(), StatusCode::OK, "{path}");
                assert_eq!(header(&response, CONTENT_TYPE), "text/html; charset=utf-8");
            }
            // A picture that is missing is none.
            let picture = get(path, &[(ACCEPT, "image/avif,image/webp")]);
            assert_eq!(picture.status(), StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[tokio::test]
    async fn a_preview_says_the_sitters_words_and_nothing_that_is_markup() {
        let preview = Preview {
            title: "A walk with \"Rex\" & <b>Pepper</b>".to_owned(),
            sentence: "Friday, November 20, 32 min. By Paws & Co.".to_owned(),
            picture: "https://walkies.example/logo".to_owned(),
            url: "https://walkies.example/report/1".to_owned(),
            without_scripts: None,
        };
        let response = previewed("/report/1", &preview, built);
        assert_eq!(header(&response, CACHE_CONTROL), "no-store");
        let page = String::from_utf8(body(response).await).unwrap();
        let title = "A walk with &quot;Rex&quot; &amp; &lt;b&gt;Pepper&lt;/b&gt;";
        assert!(
            page.starts_with("<!doctype html><title>A walk with"),
            "{page}"
        );
        assert!(page.contains(&format!("<meta property=\"og:title\" content=\"{title}\">")));
        assert!(
            page.contains("<meta property=\"og:image\" content=\"https://walkies.example/logo\">")
        );
        assert!(page.contains("By Paws &amp; Co."));
        let alone = preview.write_into(None);
        assert!(
            alone.starts_with("<!DOCTYPE html>") && alone.contains(title),
            "{alone}"
        );
    }

    #[test]
    fn what_is_missing_is_not_answered_with_a_page() {
        for path in [
            "/assets/gone-1a2b.js",
            "/favicon.ico",
            "/api/nothing",
            "/api",
            "/assets/core-3f2a.wasm.br",
        ] {
            assert_eq!(get(path, &[PAGE]).status(), StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(
            get("/scheduling", &[(ACCEPT, "*/*")]).status(),
            StatusCode::NOT_FOUND
        );
    }

    #[test]
    fn what_has_a_hash_in_its_name_is_kept_for_good_and_the_rest_is_asked_for_again() {
        let kept = |path| header(&get(path, &[]), CACHE_CONTROL).to_owned();
        assert!(kept("/assets/core-3f2a.wasm").contains("immutable"));
        assert_eq!(kept("/sw.js"), "no-cache");
        assert_eq!(kept("/manifest.webmanifest"), "no-cache");
        assert_eq!(kept("/index.html"), "no-cache");
    }

    #[tokio::test]
    async fn brotli_is_sent_to_those_who_take_it() {
        for (accepted, small) in [
            ("gzip, deflate, br, zstd", true),
            ("br;q=0.5", true),
            ("br;q=0, gzip", false),
            ("gzip", false),
            ("", false),
        ] {
            let response = get("/assets/core-3f2a.wasm", &[(ACCEPT_ENCODING, accepted)]);
            assert_eq!(header(&response, CONTENT_TYPE), "application/wasm");
            assert_eq!(header(&response, VARY), "Accept-Encoding");
            assert_eq!(
                header(&response, CONTENT_ENCODING) == "br",
                small,
                "{accepted}"
            );
            assert_eq!(body(response).await == b"small", small, "{accepted}");
        }
        // There is no small form of this one.
        let response = get("/sw.js", &[(ACCEPT_ENCODING, "br")]);
        assert_eq!(header(&response, CONTENT_ENCODING), "");
    }

    #[test]
    fn what_has_not_changed_is_not_sent_again() {
        let first = get("/sw.js", &[]);
        let tag = first.headers()[ETAG].clone();
        let again = |tag: HeaderValue| {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, tag)]);
            answer(&Method::GET, "/sw.js", &headers, built).status()
        };
        assert_eq!(again(tag), StatusCode::NOT_MODIFIED);
        assert_eq!(
            again(HeaderValue::from_static("W/\"other\"")),
            StatusCode::OK
        );
    }

    #[test]
    fn pages_are_only_read() {
        let response = answer(&Method::POST, "/", &HeaderMap::new(), built);
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    }

    #[test]
    fn every_answer_carries_the_headers_of_a_page() {
        let response = serve(Request::new(Body::empty()), &Settings::default());
        for (name, value) in PAGE_HEADERS {
            assert_eq!(response.headers().get(&name), Some(&value), "{name}");
        }
    }

    #[test]
    fn a_script_has_the_policy_of_a_worker_and_a_picture_is_never_taken_for_one() {
        let get = |path: &str| {
            let request = Request::get(path).body(Body::empty()).unwrap();
            serve(request, &Settings::default())
        };
        let worker = get("/assets/worker-1.js");
        assert!(header(&worker, CONTENT_SECURITY_POLICY).starts_with("default-src 'none';"));
        for path in [
            "/assets/worker-1.js",
            "/sw.js",
            "/assets/core.wasm",
            "/assets/look.css",
        ] {
            assert_eq!(
                header(&get(path), X_CONTENT_TYPE_OPTIONS),
                "nosniff",
                "{path}"
            );
        }
        // A page at an address of ours that looks like a file's is a page.
        assert!(get("/clients").headers().contains_key(X_FRAME_OPTIONS));
    }

    #[test]
    fn what_comes_from_elsewhere_widens_the_policy_by_its_origin_alone() {
        let policy = |settings: &Settings| {
            let response = serve(Request::new(Body::empty()), settings);
            header(&response, CONTENT_SECURITY_POLICY).to_owned()
        };
        let elsewhere = |origin: &str| {
            Some(ExternalService {
                url: format!("{origin}/{{route}}"),
                origin: origin.to_owned(),
            })
        };
        let wider = policy(&Settings {
            map_pictures: elsewhere("https://tiles.example.com"),
            directions: elsewhere("https://ways.example.com"),
            ..Settings::default()
        });
        assert_eq!(
            wider.replace("https://tiles.example.com ", ""),
            policy(&Settings::default()),
            "the directions service is the server's to ask"
        );
        assert!(wider.contains("img-src https://tiles.example.com 'self'"));
    }
}
