//! Payouts of a mint while some of its rows lag or contradict the plan.

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{Address, address::NetworkUnchecked};
use serde_json::json;
use simulation::{
    aws::{dynamodb::text, expression::Row},
    run::in_simulated_time,
};

use super::{Waiting, is_final, runs};

/// Requests of each batch. No runestone has room for so many different amounts, so there are two
/// distributions.
const REQUESTS: [u64; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
const ALL_REQUESTS: u64 = 210;
const TOKENS_PER_REQUEST: u64 = 1_000;

fn requests(row: &Row) -> i64 {
    let tiers = row["tiers"]["L"].as_array().unwrap().iter();
    tiers.map(|tier| tier["M"]["count"]["N"].as_str().unwrap().parse::<i64>().unwrap()).sum()
}

impl Waiting {
    async fn minted_out() -> Self {
        let waiting = Self::start(&REQUESTS, ALL_REQUESTS, 1).await;
        for _block in 0..6 {
            waiting.find_block().await;
        }
        waiting
    }

    async fn find_block(&self) {
        self.stage.find_block();
        runs().await;
    }

    fn mint(&self) -> (String, Row) {
        self.tabled("mint").pop().unwrap()
    }

    fn is_planned(&self) -> bool {
        self.mint().1.get("payoutsPlanned").is_some_and(|it| it["BOOL"] == true)
    }

    /// The requests of the batches in this state.
    fn requests_in(&self, state: &str) -> Vec<i64> {
        let rows = self.rows("vmTransaction").into_values();
        let mut found: Vec<_> = rows
            .filter(|row| text(row, "state") == Some(state))
            .map(|row| requests(&row))
            .collect();
        found.sort_unstable();
        found
    }

    /// The payouts of one leg that have a transaction.
    fn sent(&self, leg: &str) -> usize {
        let payouts = self.tabled("payout").into_iter().map(|(_, row)| row);
        payouts
            .filter(|row| text(row, "leg") == Some(leg) && row.contains_key("transaction"))
            .count()
    }

    /// Checks that every address has the runes of its requests.
    fn check_runes(&self) {
        let chain = self.stage.chain.lock();
        for row in self.rows("vmTransaction").values() {
            let address: Address<NetworkUnchecked> =
                text(row, "tradingAddress").unwrap().parse().unwrap();
            let script = address.assume_checked().script_pubkey();
            let coins = chain.chain().unspent(&script).into_iter();
            let held = coins.filter_map(|coin| chain.truth().runes.balances(&coin.outpoint));
            let held: u128 = held.flatten().map(|(_, amount)| amount).sum();
            let owed = u64::try_from(requests(row)).unwrap() * TOKENS_PER_REQUEST;
            assert_eq!(held, u128::from(owed));
        }
    }
}

#[test]
fn custody_05_a_payout_that_arrives_while_another_waits_for_its_row_stops_neither() {
    in_simulated_time(5, async {
        let waiting = Waiting::minted_out().await;
        let rows = waiting.rows("vmTransaction");
        let (last, _) = rows.iter().find(|(_, row)| requests(row) == 20).unwrap();
        let (table, issued) = waiting
            .tabled("issuedTransaction")
            .into_iter()
            .find(|(_, row)| text(row, "txid") == Some(&*last.to_string()))
            .unwrap();
        // This row does not learn that the seventh block makes it final.
        let mut elsewhere = issued.clone();
        elsewhere.insert("blockHash".to_owned(), json!({ "S": "00".repeat(32) }));
        waiting.import(&table, elsewhere);
        waiting.find_block().await;
        assert_eq!(waiting.count(is_final), REQUESTS.len() - 1);
        assert_eq!(text(&waiting.mint().1, "state"), Some("mintedOut"));
        for _block in 0..8 {
            waiting.find_block().await;
            waiting.keep_rounds_away();
            assert!(!waiting.is_planned());
        }
        let arrived = waiting.requests_in("distributed");
        assert!(arrived.len() > 5 && arrived.len() < REQUESTS.len(), "{arrived:?}");
        assert_eq!(waiting.requests_in("distributing").len(), REQUESTS.len() - 1 - arrived.len());
        assert_eq!((waiting.sent("distribution"), waiting.sent("transfer")), (1, 0));

        let mut issued = issued;
        let now = waiting.stage.net.now().to_string();
        issued.insert("dueAt".to_owned(), json!({ "N": now }));
        waiting.import(&table, issued);
        for _block in 0..10 {
            waiting.find_block().await;
        }
        assert!(waiting.is_planned());
        assert_eq!(waiting.requests_in("distributed").len(), REQUESTS.len());
        assert_eq!(text(&waiting.mint().1, "state"), Some("distributed"));
        waiting.check_runes();
    });
}

#[test]
fn custody_09_a_plan_that_contradicts_written_payouts_is_refused() {
    in_simulated_time(6, async {
        let waiting = Waiting::minted_out().await;
        waiting.find_block().await;
        assert!(waiting.is_planned());
        let payouts = waiting.tabled("payout").len();
        let sent = (waiting.sent("distribution"), waiting.sent("transfer"));
        // As if an earlier version had planned the members in another order.
        let (table, mut members) = waiting.tabled("payoutMembers").swap_remove(0);
        let txids = BASE64_STANDARD.decode(text(&members, "txids").unwrap()).unwrap();
        let reversed: Vec<_> = txids.as_chunks::<32>().0.iter().rev().flatten().copied().collect();
        let reversed = BASE64_STANDARD.encode(reversed);
        members.insert("txids".to_owned(), json!({ "S": reversed }));
        waiting.import(&table, members);
        let (table, mut mint) = waiting.mint();
        mint.remove("payoutsPlanned");
        mint.insert("dueAt".to_owned(), json!({ "N": waiting.stage.net.now().to_string() }));
        waiting.import(&table, mint);
        for _look in 0..3 {
            runs().await;
        }
        let (_, mint) = waiting.mint();
        let cause = mint["failing"]["M"]["cause"]["S"].as_str().unwrap();
        assert!(cause.contains("payouts were planned differently before"), "{cause}");
        let failing = &mint["failing"]["M"];
        assert!(failing["times"]["N"].as_str().unwrap().parse::<i64>().unwrap() > 0);
        assert!(!waiting.is_planned());
        assert_eq!(waiting.tabled("payout").len(), payouts);
        assert_eq!((waiting.sent("distribution"), waiting.sent("transfer")), sent);
    });
}
