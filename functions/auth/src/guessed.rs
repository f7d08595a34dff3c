//! The subject for which guesses at a password are counted.

use shared::{auth::limits::subject_of_name, models::account::AccountId};

/// Returns the subject of the count: the account on a known device, otherwise the name that the client sent.
/// Separate counts keep the pause for one name of an account (its id, its e-mail address) from revealing the
/// other.
pub(crate) fn subject(account: AccountId, name: &str, known_device: Option<&str>) -> String {
    match known_device {
        Some(_) => account.to_string(),
        None => subject_of_name(name),
    }
}
