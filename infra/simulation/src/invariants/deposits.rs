//! S19: after healing, each account's deposits are exactly what the applied blocks pay to it, each once.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{BlockHash, OutPoint, Txid};
use chain::{
    deposits::{Deposit, DepositState, MOST_OF_BLOCK},
    transactions::IssuedTransaction,
};

use super::{
    issued::script_of,
    view::{View, entity},
};
use crate::aws::dynamodb::{figure, text};

pub(super) fn check(view: &View) -> Vec<String> {
    if !view.has_healed {
        return Vec::new();
    }
    let (paid, listed) = (paid(view), listed(view));
    let mut broken = Vec::new();
    for (place, deposits) in &paid {
        // A block adds only the most valuable ones.
        let most = deposits.len().min(MOST_OF_BLOCK);
        let found = listed.get(place).map_or(0, |listed| listed.intersection(deposits).count());
        if found < most {
            broken.push(format!("S19: of {place:?} {found} of {most} deposits are listed"));
        }
    }
    for (place, deposits) in &listed {
        let none = BTreeSet::new();
        for deposit in deposits.difference(paid.get(place).unwrap_or(&none)) {
            broken.push(format!("S19: {deposit} is listed as a deposit of {place:?}"));
        }
    }
    broken
}

/// An account and a block.
type Place = (String, BlockHash);
/// The outputs that a block pays to an account.
type Deposits = BTreeMap<Place, BTreeSet<OutPoint>>;

/// The deposits that rows list.
fn listed(view: &View) -> Deposits {
    let mut listed = Deposits::new();
    for (_, row) in view.rows_of("deposits#") {
        let Some(deposit) = entity::<Deposit>(row) else { continue };
        let confirmed = deposit.state == DepositState::Confirmed;
        if let Some((outpoint, block)) =
            deposit.outpoint().zip(deposit.block_hash).filter(|_| confirmed)
        {
            let place = (deposit.account_id.to_string(), block);
            listed.entry(place).or_default().insert(outpoint.0);
        }
    }
    listed
}

/// The deposits in the chain above the block at which the worker began or, if that is lower, above the lowest
/// block to which it took blocks back.
fn paid(view: &View) -> Deposits {
    let tips = view.changes.iter().filter(|change| change.key.0 == "chain");
    let heights = tips.filter_map(|change| figure(change.after.as_ref()?, "height"));
    let first = heights.min().and_then(|height| u32::try_from(height).ok());
    let tip = view.rows.iter().find(|(key, _)| key.0 == "chain");
    let last = tip.and_then(|(_, row)| figure(row, "height"));
    let last = last.and_then(|height| u32::try_from(height).ok());
    let (Some(first), Some(last)) = (first, last) else { return Deposits::new() };
    let owners: BTreeMap<_, _> = view
        .rows_of("tradingAddress#")
        .filter_map(|(key, row)| {
            let address = key.0.strip_prefix("tradingAddress#")?;
            Some((script_of(address), text(row, "accountId")?.to_owned()))
        })
        .collect();
    let issued: BTreeMap<Txid, Option<String>> = view
        .rows_of("transaction#")
        .filter(|(key, _)| key.1 == "transaction")
        .filter_map(|(_, row)| entity::<IssuedTransaction>(row))
        .map(|row| (row.txid, row.account_id.map(|account| account.to_string())))
        .collect();
    let (chain, mut paid) = (view.chain.chain(), Deposits::new());
    for link in (first.saturating_add(1)..=last).filter_map(|height| chain.link(height)) {
        for txid in &link.txids {
            let Some(transaction) = chain.transaction(txid) else { continue };
            for (vout, output) in (0..).zip(&transaction.output) {
                let Some(account) = owners.get(&output.script_pubkey) else { continue };
                // Change and payouts are not deposits.
                let by = issued.get(txid);
                if by.is_some_and(|by| by.as_ref().is_none_or(|by| by == account)) {
                    continue;
                }
                let outpoint = OutPoint { txid: *txid, vout };
                paid.entry((account.clone(), link.hash)).or_default().insert(outpoint);
            }
        }
    }
    paid
}
