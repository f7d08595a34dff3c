//! Browsers may call from configured origins only.

use http::Method;
use shared::problem::Problem;

use crate::world;

#[tokio::test]
async fn configured_origins_are_answered() {
    let (_stack, client) = world().await;
    let preflight = |origin: &'static str| {
        client
            .request(Method::OPTIONS, "/api/prizes")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "authorization,content-type,idempotency-key,traceparent",
            )
            .send()
    };
    let good = preflight("http://localhost:5173").await.expect(200);
    assert_eq!(good.header("access-control-allow-origin"), "http://localhost:5173");
    for header in ["authorization", "content-type", "idempotency-key", "traceparent"] {
        assert!(good.header("access-control-allow-headers").contains(header));
    }
    assert!(good.header("access-control-allow-methods").contains("DELETE"));
    // A frontend in development may listen on any port of this machine.
    for origin in ["http://localhost:4200", "http://localhost:51730", "http://127.0.0.1:8080"] {
        let answer = preflight(origin).await.expect(200);
        assert_eq!(answer.header("access-control-allow-origin"), origin);
    }
    for origin in
        ["https://evil.example", "https://localhost:5173", "http://localhost.evil.example", "null"]
    {
        assert_eq!(preflight(origin).await.header("access-control-allow-origin"), "", "{origin}");
    }

    // Errors must be readable too.
    let call = client.get("/api/prizes").header("origin", "http://localhost:5173");
    let refused = call.send().await.expect_error(Problem::NoAuthorization);
    assert_eq!(refused.header("access-control-allow-origin"), "http://localhost:5173");
    for header in ["x-request-id", "ratelimit", "ratelimit-policy", "idempotent-replayed"] {
        let mut exposed = refused.header("access-control-expose-headers").split(',');
        assert!(exposed.any(|it| it == header), "{header}");
    }
    let call = client.post("/auth/refresh-token").header("origin", "http://localhost:5173");
    let refused =
        call.body(vec![b' '; 300 * 1024]).send().await.expect_error(Problem::PayloadTooLarge);
    assert_eq!(refused.header("access-control-allow-origin"), "http://localhost:5173");
    let call = client.get("/api/none").header("origin", "https://evil.example");
    assert_eq!(call.send().await.expect(404).header("access-control-allow-origin"), "");
}
