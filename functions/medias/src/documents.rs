//! The OpenAPI documents and the page of the reference. `build/` makes and compresses them; this module
//! serves them.

use std::{
    borrow::Cow,
    io::{self, Write},
    sync::OnceLock,
};

use axum::response::{IntoResponse, Response};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::json;

use crate::settings::ApiConfig;

/// A text in plain and in compressed form.
#[derive(Debug)]
pub(crate) struct Text {
    content_type: &'static str,
    plain: Form,
    gzip: Form,
}

/// Bytes, and the entity tag that names them.
#[derive(Debug)]
struct Form {
    tag: Cow<'static, str>,
    bytes: Cow<'static, [u8]>,
}

const DOCUMENT: Text = Text {
    content_type: "application/json",
    plain: Form {
        tag: Cow::Borrowed(concat!("\"", env!("DOCUMENT_TAG"), "\"")),
        bytes: Cow::Borrowed(include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json"))),
    },
    gzip: Form {
        tag: Cow::Borrowed(concat!("\"", env!("DOCUMENT_TAG"), "-gzip\"")),
        bytes: Cow::Borrowed(include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"))),
    },
};

const OLDER: Text = Text {
    content_type: "application/json",
    plain: Form {
        tag: Cow::Borrowed(concat!("\"", env!("OLDER_TAG"), "\"")),
        bytes: Cow::Borrowed(include_bytes!(concat!(env!("OUT_DIR"), "/openapi-3.0.json"))),
    },
    gzip: Form {
        tag: Cow::Borrowed(concat!("\"", env!("OLDER_TAG"), "-gzip\"")),
        bytes: Cow::Borrowed(include_bytes!(concat!(env!("OUT_DIR"), "/openapi-3.0.json.gz"))),
    },
};

/// The page.
pub(crate) const PAGE: Text = Text {
    content_type: "text/html; charset=utf-8",
    plain: Form {
        tag: Cow::Borrowed(concat!("\"", env!("PAGE_TAG"), "\"")),
        bytes: Cow::Borrowed(include_bytes!(concat!(env!("OUT_DIR"), "/docs.html"))),
    },
    gzip: Form {
        tag: Cow::Borrowed(concat!("\"", env!("PAGE_TAG"), "-gzip\"")),
        bytes: Cow::Borrowed(include_bytes!(concat!(env!("OUT_DIR"), "/docs.html.gz"))),
    },
};

/// The servers that the built documents name.
const SERVERS: &str = env!("SERVERS");

/// The OpenAPI documents of this deployment, made at the first request for one. They differ from the built
/// ones only in the address of the server: importers such as Postman take the first server literally, and `/`
/// is not an address.
#[derive(Debug)]
pub struct Documents {
    url: Option<String>,
    newer: OnceLock<Text>,
    older: OnceLock<Text>,
}

impl Documents {
    pub(crate) fn new(config: ApiConfig) -> Self {
        Self { url: config.url, newer: OnceLock::new(), older: OnceLock::new() }
    }

    pub(crate) fn newer(&self) -> &Text {
        self.newer.get_or_init(|| DOCUMENT.served_at(self.url.as_deref()))
    }

    pub(crate) fn older(&self) -> &Text {
        self.older.get_or_init(|| OLDER.served_at(self.url.as_deref()))
    }
}

impl Text {
    /// This document with the address as its only server.
    fn served_at(self, url: Option<&str>) -> Self {
        let Some(url) = url else { return self };
        let own = json!([{ "description": "This deployment.", "url": url }]).to_string();
        let plain = String::from_utf8_lossy(&self.plain.bytes).replacen(SERVERS, &own, 1);
        // Compression in memory does not fail. If it did, the built document would be served.
        let Ok(gzip) = compressed(plain.as_bytes()) else { return self };
        let named = |form: Form, bytes: Vec<u8>| {
            let tag = form.tag.trim_end_matches('"');
            let tag = format!("{tag}-{}\"", BASE64_URL_SAFE_NO_PAD.encode(url));
            Form { tag: tag.into(), bytes: bytes.into() }
        };
        let plain = named(self.plain, plain.into_bytes());
        Self { content_type: self.content_type, plain, gzip: named(self.gzip, gzip) }
    }

    /// Answers with the form that the client accepts; `kept` says how long caches may keep it.
    pub(crate) fn answer(&self, headers: &HeaderMap, kept: &'static str) -> Response {
        let is_gzip = takes_gzip(headers);
        let Form { tag, bytes } = if is_gzip { &self.gzip } else { &self.plain };
        let mut response = bytes.clone().into_response();
        if let Ok(tag) = HeaderValue::from_str(tag) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        let mut set = |name: HeaderName, value: &'static str| {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        };
        set(header::CONTENT_TYPE, self.content_type);
        set(header::CACHE_CONTROL, kept);
        set(header::VARY, "accept-encoding");
        set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        if is_gzip {
            set(header::CONTENT_ENCODING, "gzip");
        }
        response
    }
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes)?;
    packed.finish()
}

/// Whether a client accepts gzip (RFC 9110, section 12.5.3).
fn takes_gzip(headers: &HeaderMap) -> bool {
    let (mut gzip, mut any) = (None, false);
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter();
    for coding in lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(',')) {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        // The name of the weight ignores case (section 12.4.2).
        let weight = weight.trim().strip_prefix(['q', 'Q']).and_then(|it| it.strip_prefix('='));
        // A weight of 0 refuses.
        let is_taken =
            weight.is_none_or(|weight| weight.bytes().any(|it| (b'1'..=b'9').contains(&it)));
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => gzip = Some(is_taken),
            "*" => any = is_taken,
            _ => {}
        }
    }
    gzip.unwrap_or(any)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_client_takes_gzip_if_it_says_so() {
        for (accepted, expected) in [
            (&["gzip, deflate, br"][..], true),
            (&["br;q=1.0, GZIP;q=0.8, *;q=0.1"], true),
            (&["x-gzip"], true),
            (&["br", "gzip"], true),
            (&["*"], true),
            (&["*, gzip;q=0"], false),
            (&["gzip;q=0.000"], false),
            (&["gzip;Q=0"], false),
            (&["gzip; Q=0.5"], true),
            (&["gzip; q=0.001"], true),
            (&["identity, *;q=0"], false),
            (&["identity"], false),
            (&["gzipped"], false),
            (&[""], false),
            (&[], false),
        ] {
            let mut headers = HeaderMap::new();
            for line in accepted {
                headers.append(header::ACCEPT_ENCODING, line.parse().unwrap());
            }
            assert_eq!(takes_gzip(&headers), expected, "{accepted:?}");
        }
    }
}
