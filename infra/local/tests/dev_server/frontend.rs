//! The TypeScript client and the playground, against the development server.

use std::{
    fs::{self, File},
    path::Path,
    time::Duration,
};

use local::{playground, workspace};

use crate::DevServer;

/// How long a script may run. This only ends a script that hangs, and says so before the suite ends the program.
const LIMIT: Duration = Duration::from_mins(50);

/// Runs a script against a server whose Bitcoin world is ready.
async fn run(script: &str) {
    let frontend = workspace::root().join("infra/frontend");
    for built in ["client/dist/index.js", "playground/dist/index.html"] {
        assert!(frontend.join(built).exists(), "{built} is missing: run `make frontend`");
    }
    let server = DevServer::start(None);
    server.bitcoin().await;
    let page = playground::url(&server.url);
    let said = tempfile::NamedTempFile::new().unwrap();
    let stream = || File::options().append(true).open(said.path()).unwrap();
    let run = tokio::process::Command::new("node")
        .arg(frontend.join(script))
        .env("BASE", page.strip_suffix("/playground/").unwrap())
        .env("CHROMIUM", workspace::local_dir().join("chromium"))
        .stdout(stream())
        .stderr(stream())
        .kill_on_drop(true)
        .status();
    let ended = tokio::time::timeout(LIMIT, run).await;
    let said = fs::read_to_string(said.path()).unwrap();
    let status = ended.unwrap_or_else(|_| panic!("{script} does not end:\n{said}"));
    assert!(status.expect("node runs").success(), "{said}");
}

#[tokio::test]
async fn the_client_runs_every_flow_in_node_and_in_chromium() {
    run("client/tests/journey.mjs").await;
    run("client/tests/browser.mjs").await;
    run("client/tests/commands.mjs").await;
}

#[tokio::test]
async fn every_panel_of_the_playground_works_and_is_accessible() {
    run("playground/tests/run.mjs").await;
}

#[tokio::test]
async fn the_playground_is_served_completely_and_isolated() {
    let server = DevServer::start(None);
    let client = server.client();
    let moved = client.get("/playground").send().await.expect(308);
    assert_eq!(moved.header("location"), "/playground/");
    let page = client.get("/playground/").send().await.expect(200);
    assert_eq!(page.header("cache-control"), "no-cache");
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'self';"));
    let connect = policy.split(';').find(|part| part.trim().starts_with("connect-src"));
    let config = client.get("/api/config").send().await.expect(200);
    let socket = config.data()["socketUrl"].as_str().unwrap();
    let any_port =
        |source: &str| source.strip_suffix('*').is_some_and(|start| socket.starts_with(start));
    assert!(connect.unwrap().split_whitespace().any(any_port), "{policy}: {socket}");
    let assets: Vec<_> = page.text.split('"').filter(|text| text.contains("assets/")).collect();
    assert!(!assets.is_empty(), "{page}");
    for asset in assets {
        let path = Path::new("/playground").join(asset.trim_start_matches("./"));
        let answer = client.get(path.to_str().unwrap()).send().await.expect(200);
        assert!(answer.header("cache-control").ends_with("immutable"), "{asset}");
        assert_eq!(answer.header("content-encoding"), "", "{asset}");
        let call = client.get(path.to_str().unwrap()).header("accept-encoding", "gzip");
        let packed = call.send().await.expect(200);
        assert_eq!(packed.header("content-encoding"), "gzip", "{asset}");
        assert_eq!(packed.header("content-type"), answer.header("content-type"), "{asset}");
        assert!(packed.bytes.starts_with(&[0x1f, 0x8b]), "{asset}");
    }
    for path in ["/playground/assets/nothing.js", "/playground/..%2f..%2fpackage.json"] {
        let answer = client.get(path).send().await.expect(404);
        assert_eq!(answer.header("cache-control"), "no-cache", "{path}");
    }
}
