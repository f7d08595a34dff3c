//! The TypeScript client and the playground, against the development server.

use std::{path::Path, time::Duration};

use local::{playground, workspace};

use crate::dev_server::DevServer;

/// How long a script may run: the panels take three minutes beside other tests.
const LIMIT: Duration = Duration::from_mins(15);

/// Runs a script against a server whose Bitcoin world is ready.
async fn run(server: &DevServer, script: &str) {
    let frontend = workspace::root().join("infra/frontend");
    for built in ["client/dist/index.js", "playground/dist/index.html"] {
        assert!(frontend.join(built).exists(), "{built} is missing: run `make frontend`");
    }
    let page = playground::url(&server.url);
    let base = page.strip_suffix("/playground/").unwrap();
    let run = tokio::process::Command::new("node")
        .arg(frontend.join(script))
        .env("BASE", base)
        .env("CHROMIUM", workspace::local_dir().join("chromium"))
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(LIMIT, run).await;
    let output = output.unwrap_or_else(|_| panic!("{script} does not end")).expect("node runs");
    let said =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{}", said.join("\n"));
}

#[tokio::test]
async fn the_client_runs_every_flow_in_node_and_in_chromium() {
    let server = DevServer::start(None);
    server.bitcoin().await;
    run(&server, "client/tests/journey.mjs").await;
    run(&server, "client/tests/browser.mjs").await;
}

#[tokio::test]
async fn every_panel_of_the_playground_works_and_is_accessible() {
    let server = DevServer::start(None);
    server.bitcoin().await;
    run(&server, "playground/tests/run.mjs").await;
}

#[tokio::test]
async fn the_playground_is_served_completely_and_isolated() {
    let server = DevServer::start(None);
    let client = server.client();
    let moved = client.get("/playground").send().await.expect(308);
    assert_eq!(moved.header("location"), "/playground/");
    let page = client.get("/playground/").send().await.expect(200);
    assert_eq!(page.header("cache-control"), "no-cache");
    assert!(page.header("content-security-policy").starts_with("default-src 'self';"));
    let assets: Vec<_> = page.text.split('"').filter(|text| text.contains("assets/")).collect();
    assert!(!assets.is_empty(), "{page}");
    for asset in assets {
        let path = Path::new("/playground").join(asset.trim_start_matches("./"));
        let answer = client.get(path.to_str().unwrap()).send().await.expect(200);
        assert!(answer.header("cache-control").ends_with("immutable"), "{asset}");
    }
    for path in ["/playground/assets/nothing.js", "/playground/..%2f..%2fpackage.json"] {
        let answer = client.get(path).send().await.expect(404);
        assert_eq!(answer.header("cache-control"), "no-cache", "{path}");
    }
}
