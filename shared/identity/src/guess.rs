//! Limits on guessing what only an account's owner knows or was mailed.
//!
//! A guess is counted before it is checked, so concurrent guesses get no extra attempts. Each device that the
//! account knows has its own limit. All other devices share one count per account, with a growing pause.
//! Password guesses are counted for each name of the account, so that the pause for one name does not reveal
//! the other. However often strangers guess, they never use up the attempts of a known device.

use std::time::Duration;

use shared::{
    auth::{
        AuthError,
        limits::{self, EMAIL_TOKEN_BY_DEVICE, HANDSHAKE_BY_DEVICE, Limit, OTP_BY_DEVICE},
    },
    core::Core,
    keys,
};
use store::{Attempt, StoreError};

/// A guessable secret and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guessed {
    /// Name used in keys and in the table of limits.
    pub name: &'static str,
    /// Guesses by strangers before the first pause.
    pub free: u32,
    /// The first pause; each further guess doubles it.
    pub first_pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
    /// The limit on a device that the account knows.
    pub by_device: Limit,
}

const fn minutes(minutes: u64) -> Duration {
    Duration::from_secs(minutes.saturating_mul(60))
}

/// The password. Guesses are counted when a proof begins.
pub const PASSWORD: Guessed = Guessed {
    name: "passwordByStrangers",
    free: 5,
    first_pause: Duration::from_secs(2),
    longest_pause: minutes(15),
    by_device: HANDSHAKE_BY_DEVICE,
};
/// A code of the second factor. The fifth wrong one locks it for 15 minutes.
pub const SECOND_FACTOR: Guessed = Guessed {
    name: "codeByStrangers",
    free: 4,
    first_pause: minutes(15),
    longest_pause: minutes(60),
    by_device: OTP_BY_DEVICE,
};
/// A token from a mail.
pub const EMAIL_TOKEN: Guessed = Guessed {
    name: "emailTokenByStrangers",
    free: 4,
    first_pause: minutes(15),
    longest_pause: minutes(60),
    by_device: EMAIL_TOKEN_BY_DEVICE,
};

/// All guessable secrets, in the order of the table of limits.
pub const ALL: &[Guessed] = &[PASSWORD, SECOND_FACTOR, EMAIL_TOKEN];

const DAY: Duration = minutes(24 * 60);

/// The count of strangers' guesses is reset this long after the last guess.
const KEPT: Duration = DAY;

impl Guessed {
    /// How long strangers wait after their n-th guess, starting at 1.
    fn pause_after(&self, n: u32) -> Duration {
        match n.checked_sub(self.free).and_then(|over| over.checked_sub(1)) {
            None => Duration::ZERO,
            Some(doublings) => {
                let factor = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
                self.first_pause.saturating_mul(factor).min(self.longest_pause)
            }
        }
    }

    /// The number of guesses that strangers get in a day if they make each one as soon as allowed.
    pub fn most_a_day(&self) -> u32 {
        let (mut waited, mut made) = (Duration::ZERO, 0_u32);
        while waited < DAY {
            made = made.saturating_add(1);
            // Guesses without a pause are limited, so the loop ends.
            waited = waited.saturating_add(self.pause_after(made));
        }
        made
    }

    /// Counts a guess. `subject` is the account, or the name that was given for it; `device` is the hash of
    /// the device if the account knows it.
    ///
    /// # Errors
    /// [`AuthError::RateLimited`] if there were too many guesses; [`AuthError::Store`] if the store fails.
    pub async fn count(
        &self,
        app: &Core,
        subject: &str,
        device: Option<&str>,
    ) -> Result<(), AuthError> {
        if let Some(device) = device {
            return limits::hit(app, self.by_device, &device_subject(subject, device)).await;
        }
        let key = keys::limit(self.name, subject);
        match app.store.take_turn(&key, |n| self.pause_after(n), KEPT).await? {
            Attempt::Allowed => Ok(()),
            Attempt::From(until) => Err(AuthError::limited_until(until, app.clock.now())),
        }
    }

    /// Takes back a correct guess once its request has succeeded; on a known device, takes back all guesses.
    /// A failure does not fail the request, because counts expire.
    pub async fn forgive(&self, app: &Core, subject: &str, device: Option<&str>) {
        let forgiven: Result<(), StoreError> = match device {
            Some(device) => {
                let key = keys::limit(self.by_device.name, &device_subject(subject, device));
                app.store.delete(&key).await.map(drop)
            }
            None => app.store.give_turn_back(&keys::limit(self.name, subject)).await,
        };
        if let Err(error) = forgiven {
            tracing::warn!(subject, what = self.name, %error, "failed to uncount a correct guess");
        }
    }
}

fn device_subject(subject: &str, device: &str) -> String {
    format!("{subject}#{device}")
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn custody_27_strangers_get_fewer_than_500_guesses_a_day_in_total() {
        let each: Vec<_> = ALL.iter().map(Guessed::most_a_day).collect();
        assert_eq!(each, [109, 30, 30]);
        // A password can be guessed with the account's id, with its e-mail address, and in a stolen session.
        let all = each.iter().sum::<u32>() + 2 * PASSWORD.most_a_day();
        assert!(all < 500, "checklist 2: guesses a day");
        // Waiting for the count to reset yields no extra guesses.
        assert!(ALL.iter().all(|guessed| guessed.longest_pause < KEPT && KEPT >= DAY));
    }

    #[test]
    fn pauses_grow_to_the_longest_one() {
        let pauses = |guessed: &Guessed| -> Vec<u64> {
            (0..20).map(|n| guessed.pause_after(n).as_secs()).collect()
        };
        let password = pauses(&PASSWORD);
        assert_eq!(password[..10], [0, 0, 0, 0, 0, 0, 2, 4, 8, 16]);
        assert_eq!(password[19], 900);
        assert_eq!(pauses(&SECOND_FACTOR)[3..8], [0, 0, 900, 1_800, 3_600]);
        assert_eq!(PASSWORD.pause_after(u32::MAX), PASSWORD.longest_pause);
    }
}
