//! S17: instructions for the perpetuals venue that the service gives after all checks are accepted there and
//! lose nothing, and the venue would refuse what the service refuses, unless something at the venue changed
//! just before.

use std::collections::BTreeMap;

use super::view::View;
use crate::books::{Advice, Answered};

/// How many answers of each kind can be judged.
pub(super) fn judged(view: &View) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for advice in view.books.advice.iter().filter(|advice| advice.is_steady) {
        let name = format!("advice {:?}", advice.answered).to_lowercase();
        *counts.entry(name).or_default() += 1;
    }
    counts
}

pub(super) fn check(view: &View) -> Vec<String> {
    let steady = view.books.advice.iter().filter(|advice| advice.is_steady);
    let wrong =
        steady.filter_map(|Advice { what, answered, verdict, .. }| match (answered, verdict) {
            (Answered::Checked, Err(refusal)) => {
                Some(format!("S17: {what} was handed out after all checks, but: {refusal}"))
            }
            (Answered::Refused, Ok(())) => {
                Some(format!("S17: {what} was refused, and the venue would have taken it"))
            }
            _ => None,
        });
    wrong.collect()
}
