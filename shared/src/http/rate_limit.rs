//! The remaining quota of the limits that a request used: the headers `RateLimit` and `RateLimit-Policy`
//! (draft-ietf-httpapi-ratelimit-headers-10). A policy has the name of its limit in the table.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::auth::limits::Left;

/// The remaining hits of each limit, and the seconds until its window ends.
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// The hits that each limit allows, and the length of its window in seconds.
pub const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Adds the headers to an answer, if its request used a limit.
pub(super) fn tell(left: &[Left], headers: &mut HeaderMap) {
    let list = |item: fn(&Left) -> String| {
        let items = left.iter().map(item).collect::<Vec<_>>().join(", ");
        HeaderValue::from_str(&items).ok().filter(|value| !value.is_empty())
    };
    let policies = |Left { limit, .. }: &Left| {
        format!("\"{}\";q={};w={}", limit.name, limit.most, limit.window.as_secs())
    };
    let lefts = |left: &Left| format!("\"{}\";r={};t={}", left.limit.name, left.hits, left.seconds);
    if let (Some(policies), Some(lefts)) = (list(policies), list(lefts)) {
        headers.insert(RATE_LIMIT_POLICY, policies);
        headers.insert(RATE_LIMIT, lefts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::limits::{ALL, CHALLENGE_BY_ACCOUNT, CHALLENGE_BY_SOURCE};

    #[test]
    fn headers_are_lists_of_named_limits() {
        let mut headers = HeaderMap::new();
        tell(&[], &mut headers);
        assert!(headers.is_empty());
        let left = [
            Left { limit: CHALLENGE_BY_SOURCE, hits: 119, seconds: 300 },
            Left { limit: CHALLENGE_BY_ACCOUNT, hits: 0, seconds: 1 },
        ];
        tell(&left, &mut headers);
        assert_eq!(
            headers.get(RATE_LIMIT_POLICY).map(HeaderValue::as_bytes),
            Some(&b"\"challengeBySource\";q=120;w=300, \"challengeByAccount\";q=60;w=300"[..])
        );
        assert_eq!(
            headers.get(RATE_LIMIT).map(HeaderValue::as_bytes),
            Some(&b"\"challengeBySource\";r=119;t=300, \"challengeByAccount\";r=0;t=1"[..])
        );
    }

    #[test]
    fn names_need_no_escapes() {
        assert!(ALL.iter().all(|it| it.name.bytes().all(|byte| byte.is_ascii_alphabetic())));
    }
}
