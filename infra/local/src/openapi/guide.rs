//! The description of the whole service: what a frontend needs to know before its first request, and the table
//! of codes.

use std::fmt::Write;

use shared::{auth::limits, http::Problem};

/// The text before the limits.
const GUIDE: &str = "\
Accounts, swaps, refunds and perpetuals funding of a Bitcoin-asset exchange. The service never asks for a
client's keys: wallets sign, and the service verifies.

## Base address

Every path below starts at the address that serves this document, such as `https://api.example.com` of a deployment or
`http://127.0.0.1:9000` of `make dev`. These requests need no account:

```sh
BASE=http://127.0.0.1:9000
curl -s $BASE/api/config    # the network, what wallets sign, the rate limits
curl -s $BASE/api/tokens    # the catalogue of tokens
```

## Sign in

1. `GET /auth/wallet/challenge?address=<address>` returns a text, `message`, and its `challengeId`.
2. The wallet signs the text, and `POST /auth/authenticate` returns an `accessToken` for 10 minutes and a `refreshToken`. The \
first sign-in of a wallet creates its account. Accounts may also sign in with a password or a passkey.
3. Every other request that needs a token sends `Authorization: Bearer <accessToken>`. `GET /api/account/me` returns the account, \
and `GET /api/account/trading-wallet/balance` what it can spend.
4. `POST /auth/refresh-token` exchanges the refresh token for two new ones. The same request \
returns the same refresh token until that one is used; an earlier one ends the session.

Money moves in two steps: one operation returns a PSBT, the wallet signs it, and the operation's `sign` co-signs and
broadcasts it.

## Responses

Every success is `{code: \"1\", message: \"common.success\", data}`; lists and some others add `metaData`, which has
`totalItems, currentPage, pageSize, totalPages` everywhere (1 of 1 if the response is one object). Times are
milliseconds since the epoch. Amounts that can exceed 2^53 are strings of digits. Unknown fields of a body are
ignored, and clients should ignore unknown fields of a response. Each response has the header `X-Request-Id`, the id
of the request in the service's log.

## Errors

Every error is `{code, message, details, requestId}`, plus `errors: [{field, message}]` if fields are missing or
invalid. `code` and `message` are stable. `details` is for people: whole sentences, which may change. `params` has the
numbers and ids that `details` mentions, by name. Each operation lists its codes by status, and the last table
explains them.

A path that does not exist is a 404 with `1003`; a method that the path does not support is a 405 with `1004`, and its
`Allow` lists the methods that it does. After a 401 with `4003` the client refreshes its token and tries again; `4010`
asks for a new sign-in, `4024` for `POST /auth/reauthenticate`. The gateway in front of a deployment may respond with
413, 429 or 503 itself, without this body.

## Idempotency

A POST that creates something accepts the header `Idempotency-Key`, 1 to 255 visible ASCII characters. For 24 hours
the same request with the same key gets the first response again, so a client can repeat it after a broken connection.
The same key with another body is a 409 with `1011`. A repeated response has the header `Idempotent-Replayed: true`.

With `dryRun=true`, operations that have this parameter only show what they would do, with status 200; the key is ignored. All
others that change something refuse the parameter, and every body refuses a field of this name.

## Lists

`page` counts from 1, and `pageSize` is 10 unless stated, at most 100. `sort` names fields, with `-` for descending
order; `select` names the fields to return; `populate` adds relations; `<field>_eq` filters. Empty parameters count as
absent. Any other parameter is a 400 that names the known ones, unless its name begins with `_` or `utm_` and is not
another spelling of a known one. `metaData` is `{totalItems, currentPage, pageSize, totalPages, asOf}`. If the client
sends `asOf` back as a parameter, the pages of a growing list neither repeat nor skip a row.

## Polling

A response with one item carries an `ETag`. A request that sends it as `If-None-Match` gets 304 without a body while
the item is unchanged. `metaData.pollAfterMs` says when to ask again, and is null if no change is expected.

## Limits

A body may have up to 256 KiB. Above a limit of this table, the service responds with 429 and `Retry-After` in
seconds. The first hit opens the window. A source is an IPv4 address or a /64 network of IPv6; a /56 has four times
the limit, a /48 sixteen times. Two headers report each limit that the request counts towards, by its name:
`RateLimit` has the remaining hits (`r`) and the seconds until the window ends (`t`); `RateLimit-Policy` has the
allowed hits (`q`) and the length of the window in seconds (`w`). Limits shared with other clients are not reported.

| Limit | Hits | Minutes | Counts |
|---|---|---|---|
";

/// The text after the limits. The page of the reference shows the part after this heading last.
const CODES: &str = "
## Codes

| code | message | status | meaning |
|---|---|---|---|
";

/// The whole text.
pub(super) fn description() -> String {
    let mut text = GUIDE.to_owned();
    // Writing to a `String` cannot fail.
    for limit in limits::ALL {
        let minutes = limit.window.as_secs().checked_div(60).unwrap_or_default();
        let _ = writeln!(
            text,
            "| `{}` | {} | {minutes} | {} |",
            limit.name,
            limit.most,
            limit.counts.trim()
        );
    }
    text.push_str(CODES);
    for problem in Problem::ALL {
        let (code, key, status) = (problem.code(), problem.key(), problem.status().as_u16());
        let _ = writeln!(text, "| {code} | `{key}` | {status} | {} |", problem.meaning());
    }
    text
}
