//! How many bids a mint accepts, and the price that a further one has to offer.
//!
//! The worker computes virtual blocks from all bids in memory, so their number is limited. Requests that no block
//! takes are refunded. So if places cost nothing, a stranger could fill a mint with bids at the lowest price for the
//! fees of their transactions, and shut out every higher bid. In the second half, a place is therefore only for a bid
//! that the next virtual block would take, and the price rises with each further bid (docs/decisions/0025-bids.md).

use super::MintOutlook;

/// The most bids of a mint, approximately: the worker computes virtual blocks from all of them, which takes
/// about 100 MB for this many. A batch has a bid for each of its prices.
pub const MOST_BIDS: u64 = 200_000;
/// The number of bids that may offer the mint's lowest price.
const FREE_BIDS: u64 = 100_000;
/// The number of further bids after which the price of a place doubles.
const DOUBLED_AFTER: u64 = 12_500;

/// The lowest price of a request, in sats, that gives a further bid a place in a mint of this many bids, whose lowest
/// price is `lowest`; `None` if the mint takes no further bid. `outlook` is `None` if the worker has not processed the
/// mint yet.
pub fn price_of_place(lowest: u64, bids: u64, outlook: Option<&MintOutlook>) -> Option<u64> {
    if bids >= MOST_BIDS {
        return None;
    }
    let Some(further) = bids.checked_sub(FREE_BIDS) else { return Some(lowest) };
    // If the mint has no room, it takes no bids much longer.
    let enters = outlook.and_then(|outlook| outlook.price_to_enter(1, lowest)).unwrap_or(lowest);
    let doublings = further.checked_div(DOUBLED_AFTER).unwrap_or_default();
    let times = u32::try_from(doublings).ok().and_then(|doublings| 1_u64.checked_shl(doublings));
    Some(enters.saturating_mul(times.unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mints::{MOST_BATCHES, PriceLevel};

    #[test]
    fn a_place_is_free_in_the_first_half_and_doubles_in_the_second() {
        let level = PriceLevel { sats_per_request: 2_999, requests: 10, confirmed: 0 };
        let outlook = MintOutlook {
            room: 10,
            blocks: 0,
            requests: 10,
            sats: 29_990,
            by_price: vec![level],
            revision: 1,
        };
        for (bids, price) in [
            (0, Some(1_000)),
            (99_999, Some(1_000)),
            (100_000, Some(3_000)),
            (112_499, Some(3_000)),
            (112_500, Some(6_000)),
            (125_000, Some(12_000)),
            (199_999, Some(3_000 * 128)),
            (200_000, None),
            (u64::MAX, None),
        ] {
            assert_eq!(price_of_place(1_000, bids, Some(&outlook)), price, "{bids}");
        }
        // The next block has room for everything.
        let quiet = MintOutlook { room: 11, ..outlook.clone() };
        assert_eq!(price_of_place(1_000, 100_000, Some(&quiet)), Some(1_000));
        assert_eq!(price_of_place(1_000, 112_500, None), Some(2_000));
        let over = MintOutlook { room: 0, ..outlook };
        assert_eq!(price_of_place(1_000, 112_500, Some(&over)), Some(2_000));
    }

    #[test]
    fn a_batch_has_at_least_one_bid() {
        assert_eq!(u64::from(MOST_BATCHES), MOST_BIDS);
    }
}
