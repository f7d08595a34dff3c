//! Lists: shows that every page costs the same as the first, and measures how fast one list grows.

use std::time::{Duration, Instant};

use aws_sdk_dynamodb::{
    Client,
    config::Region,
    types::{AttributeValue, PutRequest, WriteRequest},
};
use local::LocalStack;
use shared::{
    outbound::Outbound,
    store::{
        Store, Writes,
        keys::List,
        lists::{self, Order, PageWindow},
    },
};

use crate::counting::CountingHttp;

/// Number of members of the list.
const MEMBERS: u64 = 100_000;
/// Members per page.
const PAGE: u64 = 10;
/// Number of reads; the result is their median time.
const READS: usize = 200;

/// Measures and prints.
pub(crate) async fn measure(stack: &LocalStack) {
    let http = CountingHttp::default();
    let store = stack.store_over(http.clone());
    let list = List::scratch("pages");
    fill(stack, &store, &list).await;

    println!("### Pages of a list of {MEMBERS}, {PAGE} a page\n");
    println!(
        "| Page | Round trips | Capacity units | Median time, relative to page 1 |\n|---|---|---|---|"
    );
    let mut first = None;
    for page in [1, 2, 100, 10_000] {
        let window = PageWindow { page, size: PAGE };
        http.take();
        let slice =
            lists::page::<String>(&store, &list, window, Order::NewestFirst, None).await.unwrap();
        let count = http.take();
        assert_eq!((slice.total, slice.members.len() as u64), (MEMBERS, PAGE));
        assert_eq!(slice.members[0].n, MEMBERS - (page - 1) * PAGE);
        let median = median(&store, &list, window).await;
        let ratio = median.as_secs_f64() / first.get_or_insert(median).as_secs_f64();
        println!(
            "| {page} | {} | {} | {ratio:.2}x |",
            count.operations.join(" + "),
            count.capacity
        );
    }

    println!(
        "\n### Appends to one list\n\n| Concurrent writers | Appends per second | Round trips per append |\n|---|---|---|"
    );
    for writers in [1, 2, 8, 20] {
        let (rate, trips) = measure_appends(&store, &http, writers).await;
        println!("| {writers} | {rate:.0} | {trips:.1} |");
    }
    println!();
}

async fn median(store: &Store, list: &List, window: PageWindow) -> Duration {
    let mut times = Vec::with_capacity(READS);
    for _ in 0..READS {
        let start = Instant::now();
        lists::page::<String>(store, list, window, Order::NewestFirst, None).await.unwrap();
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[READS / 2]
}

async fn append(store: &Store, list: &List) {
    let draft = |at: shared::clock::Timestamp| (Writes::<()>::new(), format!("member of {}", at.0));
    lists::append(store, std::slice::from_ref(list), draft).await.unwrap();
}

/// Returns the appends per second and the round trips per append.
async fn measure_appends(store: &Store, http: &CountingHttp, writers: usize) -> (f64, f64) {
    const SPAN: Duration = Duration::from_secs(3);
    let list = List::scratch(&format!("measure_appends{writers}"));
    append(store, &list).await;
    http.take();
    let start = Instant::now();
    let tasks: Vec<_> = (0..writers)
        .map(|_| {
            let (store, list) = (store.clone(), list.clone());
            tokio::spawn(async move {
                while start.elapsed() < SPAN {
                    append(&store, &list).await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let seconds = start.elapsed().as_secs_f64();
    let made = (lists::total(store, &list).await.unwrap() - 1) as f64;
    (made / seconds, http.take().operations.len() as f64 / made)
}

/// Creates a list of [`MEMBERS`] members: one append creates the first row, the others are copies of it.
async fn fill(stack: &LocalStack, store: &Store, list: &List) {
    append(store, list).await;
    let config = &stack.app().config;
    let mut dynamodb = aws_sdk_dynamodb::Config::builder()
        .region(Region::new(config.aws.region.clone()))
        .credentials_provider(config.aws.credentials())
        .http_client(Outbound::new());
    dynamodb.set_endpoint_url(config.aws.dynamodb_endpoint.clone());
    let dynamodb = Client::from_conf(dynamodb.build());
    let table = store.name(list.head().table());
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let member = list.member(1);
    let read = dynamodb
        .get_item()
        .table_name(table)
        .key("pk", text(member.pk()))
        .key("sk", text(member.sk()));
    let first = read.send().await.unwrap().item.unwrap();
    let numbers: Vec<u64> = (2..=MEMBERS).collect();
    for chunk in numbers.chunks(25) {
        let rows = chunk.iter().map(|&n| {
            let mut row = first.clone();
            row.insert("sk".to_owned(), text(list.member(n).sk()));
            row.insert("n".to_owned(), AttributeValue::N(n.to_string()));
            let put = PutRequest::builder().set_item(Some(row)).build().unwrap();
            WriteRequest::builder().put_request(put).build()
        });
        dynamodb.batch_write_item().request_items(table, rows.collect()).send().await.unwrap();
    }
    let head = list.head();
    let advance = dynamodb
        .update_item()
        .table_name(table)
        .key("pk", text(head.pk()))
        .key("sk", text(head.sk()));
    let advance =
        advance.update_expression("SET #c = :c").expression_attribute_names("#c", "count");
    advance
        .expression_attribute_values(":c", AttributeValue::N(MEMBERS.to_string()))
        .send()
        .await
        .unwrap();
}
