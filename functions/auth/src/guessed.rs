//! What guesses at passwords are counted for.

use shared::{auth::limits::subject_of_name, models::account::AccountId};

/// The subject for which guesses at a password are counted: on a known device the account. Those of strangers count for the
/// name that they use, so that the pause for one name of an account (its id, its e-mail address) does not reveal the other.
pub(crate) fn subject(account: AccountId, name: &str, known_device: Option<&str>) -> String {
    match known_device {
        Some(_) => account.to_string(),
        None => subject_of_name(name),
    }
}
