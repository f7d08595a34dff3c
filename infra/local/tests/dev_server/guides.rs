//! The examples in README and guides run unchanged in the local world.
//!
//! The `sh` blocks of a page that call the service form one shell script, with the demo admin's token in
//! `TOKEN`. The `js` block of a page continues the sign-in of `sign-in.md`.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use local::workspace;

use crate::DevServer;

/// The address in the pages' calls of the service.
const ADDRESS: &str = "http://127.0.0.1:9000";

/// A curl that fails if the service refuses.
const SHELL: &str =
    "set -euo pipefail\ncurl() { command curl --max-time 600 --fail-with-body \"$@\"; }\n";

/// The fenced blocks of a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let parts = page.split(&fence).skip(1);
    parts.map(|part| part.split("\n```").next().unwrap_or_default().to_owned()).collect()
}

fn assert_worked(output: &Output, script: &str) {
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{script}\n--- said\n{said}\n--- complained\n{complained}");
}

/// The result of a page's block.
fn result(page: &str, block: &str) -> String {
    if block.contains("actionSignature") {
        "posted.status === 'ok'".to_owned()
    } else if block.contains("signedUrl") {
        "status === 204 && deleted.ok".to_owned()
    } else if block.contains("isService") {
        format!("isService && computed.join() === '{}'", printed_values(page).join(","))
    } else {
        "accessToken && refreshToken && account.id && deviceToken".to_owned()
    }
}

/// The values of 32 bytes in the tables of a page, in hex.
fn printed_values(page: &str) -> Vec<&str> {
    let is_value =
        |text: &&str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    page.split('`').filter(is_value).collect()
}

/// The values that the page of password proofs prints are those of the test vectors.
#[test]
fn the_printed_values_of_a_password_proof_are_vectors() {
    let root = workspace::root();
    let page = fs::read_to_string(root.join("docs/guides/srp.md")).unwrap();
    let vectors = fs::read(root.join("shared/identity/src/srp/vectors.json")).unwrap();
    let vectors: Vec<serde_json::Value> = serde_json::from_slice(&vectors).unwrap();
    let printed = vectors.iter().find(|vector| vector["bits"] == 3072).unwrap();
    let values: Vec<_> =
        ["x", "K", "M1", "M2"].iter().map(|name| printed[name].as_str().unwrap()).collect();
    assert_eq!(printed_values(&page), values);
    let (salt, a, b) = (&printed["salt"], &printed["a"], &printed["b"]);
    let inputs = [salt, a, b].map(|value| value.as_str().unwrap().to_owned());
    assert_eq!(inputs, ["5a", "11", "22"].map(|byte| byte.repeat(32)));
    for input in ["I", "P"] {
        assert!(page.contains(&format!("`{}`", printed[input].as_str().unwrap())), "{input}");
    }
}

fn run_module(folder: &Path, script: &str) -> Output {
    let file = folder.join("example.mjs");
    fs::write(&file, script).unwrap();
    Command::new("node").arg(file).output().unwrap()
}

#[tokio::test]
async fn examples_of_the_guides_run() {
    let server = DevServer::start(None);
    server.bitcoin().await;
    let root = workspace::root();
    let mut pages: Vec<_> = fs::read_dir(root.join("docs/guides"))
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    pages.push(fs::read_to_string(root.join("README.md")).unwrap());

    let mut calls = 0;
    for page in &pages {
        let blocks = blocks(page, "sh").into_iter().filter(|block| block.contains("curl "));
        let script = blocks.collect::<Vec<_>>().join("\n").replace(ADDRESS, &server.url);
        calls += script.matches("curl ").count();
        let mut shell = Command::new("bash");
        let shell = shell.args(["-c", &format!("{SHELL}{script}")]).env("TOKEN", server.token());
        assert_worked(&shell.output().unwrap(), &script);
    }
    assert!(calls > 15, "{calls}");

    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(workspace::node_modules(), folder.path().join("node_modules"))
        .unwrap();
    let sign_in = fs::read_to_string(root.join("docs/guides/sign-in.md")).unwrap();
    let sign_in = blocks(&sign_in, "js").join("\n");
    let mut scripts = 0;
    for page in &pages {
        let block = blocks(page, "js").join("\n");
        if block.is_empty() {
            continue;
        }
        scripts += 1;
        let first = if block == sign_in { String::new() } else { format!("{sign_in}\n") };
        let script = format!("{first}{block}").replace(ADDRESS, &server.url);
        // A missing value is not an error in JavaScript, so the page's result is checked.
        let result = result(page, &block);
        let script = format!("{script}\nif (!({result})) throw new Error('no result')\n");
        let output = run_module(folder.path(), &script);
        assert_worked(&output, &script);
    }
    assert_eq!(scripts, 4);
}
