//! Exports: rows per CPU second and memory use of the worker, compared with scripts that create the same file
//! from the same rows. Each runs in its own process; its start is not measured.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use base::clock::{Clock, Timestamp};
use local::{LocalStack, histories, lambda::Function};
use outbox::exports::Export;
use serde::Deserialize;
use serde_json::{Value, json};
use shared::{
    keys,
    models::{
        account::AccountId,
        export::{ExportFormat, ExportId, ExportStatus, HistoryFilter, HistoryType},
    },
};
use store::Writes;
use tokio::process::Command;

/// Rows of the export.
const ROWS: u64 = 50_000;
const PYTHON: (&str, &str) = ("boto3_export.py", include_str!("exports/boto3_export.py"));
const NODE: (&str, &str) = ("aws_sdk_export.mjs", include_str!("exports/aws_sdk_export.mjs"));

/// Resources used to create the file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Taken {
    rows: u64,
    bytes: u64,
    cpu_seconds: f64,
    before_kib: u64,
    peak_kib: u64,
}

impl Taken {
    fn rate(&self) -> f64 {
        self.rows as f64 / self.cpu_seconds
    }
}

/// Measures and prints. Skips a script whose packages are not installed.
pub(crate) async fn measure(stack: &LocalStack) {
    let account = AccountId(stack.app().random.id(stack.clock().now()));
    let begun = Timestamp(1_767_225_600_000);
    let at = |place: u64| begun.plus(Duration::from_secs(place));
    histories::plant(stack, account, ROWS, |place| histories::swap(account, place, at(place)))
        .unwrap();
    let own = measure_worker(stack, account, at(ROWS)).await;

    println!(
        "### An export of {ROWS} rows\n\n| Made by | Rows a CPU second, against the worker | Memory \
         beyond that of the start |\n|---|---|---|"
    );
    print("the worker", &own, &own);
    let job = json!({
        "dynamodb": stack.settings()["AWS_ENDPOINT_URL_DYNAMODB"],
        "s3": stack.settings()["AWS_ENDPOINT_URL_S3"],
        "bucket": stack.app().config.exports.bucket,
        "key": "exports/bench.csv",
        "table": stack.app().config.tables.activity,
        "list": keys::lists::xchain_by_account(account).head().pk(),
        "count": ROWS,
    });
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.local");
    let tools = std::env::var_os("RUNEPORT_LOCAL_DIR").map_or(tools, PathBuf::from);
    let (python, node) = (tools.join("bench-venv/bin/python"), tools.join("bench-node"));
    for (name, program, folder, script) in [
        ("Python, boto3", python.as_path(), tools.join("bench-venv"), PYTHON),
        ("Node.js, @aws-sdk", Path::new("node"), node.clone(), NODE),
    ] {
        if !folder.is_dir() {
            continue;
        }
        let taken = measure_script(program, &folder, script, &job).await;
        assert_eq!((taken.rows, taken.bytes), (own.rows, own.bytes), "{name} differs in its file");
        print(name, &taken, &own);
    }
    println!();
}

fn print(name: &str, taken: &Taken, own: &Taken) {
    let memory = (taken.peak_kib - taken.before_kib) / 1024;
    println!("| {name} | {:.2}x | {memory} MiB |", taken.rate() / own.rate());
}

async fn measure_worker(stack: &LocalStack, account: AccountId, to: Timestamp) -> Taken {
    let app = stack.app();
    let id = ExportId(app.random.id(app.clock.now()));
    let from = Timestamp(0);
    let filter = HistoryFilter { chain: None, kind: HistoryType::Swap, from, to };
    let export =
        Export::asked_for(id, account, ExportFormat::Csv, filter, vec![ROWS], app.clock.now());
    let key = keys::export(id);
    app.store.commit(Writes::new().insert(&key, &export, ())).await.unwrap();
    let record = json!({
        "messageId": "0", "body": json!({ "export": id }).to_string(), "messageAttributes": {},
        "attributes": { "ApproximateReceiveCount": "1" }, "eventSource": "aws:sqs",
    });
    // The build put it next to this program.
    let binary = std::env::current_exe().unwrap().with_file_name("export-worker");
    let event = json!({ "Records": [record] });
    let worker = Function::start(&binary, stack.settings()).await.unwrap();
    let invocation = worker.invoke(event).await.unwrap();
    let made = app.store.get::<Export>(&key).await.unwrap().unwrap();
    assert_eq!((made.status, made.row_count), (ExportStatus::Completed, ROWS));
    Taken {
        rows: made.row_count,
        bytes: made.size_bytes,
        cpu_seconds: invocation.cpu.as_secs_f64(),
        before_kib: worker.started().peak_kib,
        peak_kib: invocation.peak_kib,
    }
}

/// Runs a script in `folder`, which holds its packages.
async fn measure_script(
    program: &Path,
    folder: &Path,
    (name, text): (&str, &str),
    job: &Value,
) -> Taken {
    let script = folder.join(name);
    fs::write(&script, text).unwrap();
    let command = Command::new(program)
        .arg(&script)
        .env("JOB", job.to_string())
        .stderr(Stdio::inherit())
        .output();
    let output = command.await.unwrap();
    assert!(output.status.success(), "{name} failed");
    serde_json::from_slice(&output.stdout).unwrap()
}
