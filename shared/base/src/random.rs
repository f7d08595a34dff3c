//! Randomness, injected: secrets, ids and jitter all come from here.

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use uuid::{Builder, Uuid};

use crate::clock::Timestamp;

/// A source of unpredictable bytes.
pub trait Random: Send + Sync + 'static {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// The system's generator, through aws-lc.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemSource;

impl Random for SystemSource {
    fn fill(&self, bytes: &mut [u8]) {
        // A machine without randomness can make no secret: stopping is the only safe answer.
        #[allow(clippy::expect_used, clippy::disallowed_methods)]
        SystemRandom::new().fill(bytes).expect("the system's random generator works");
    }
}

impl dyn Random {
    /// `N` fresh bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// A time-ordered id: UUID version 7 (RFC 9562, section 5.7).
    pub fn id(&self, now: Timestamp) -> Uuid {
        let millis = u64::try_from(now.0).unwrap_or(0);
        Builder::from_unix_timestamp_millis(millis, &self.bytes()).into_uuid()
    }

    /// A number in `0..=most`, for jitter: its slight bias does not matter there.
    pub fn up_to(&self, most: u64) -> u64 {
        u64::from_le_bytes(self.bytes()).checked_rem(most.saturating_add(1)).unwrap_or(0)
    }

    /// `N` characters of Crockford's base32, 5 bits each: no letter can be taken for a digit.
    pub fn code<const N: usize>(&self) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        self.bytes::<N>()
            .iter()
            .filter_map(|byte| ALPHABET.get(usize::from(byte & 31)))
            .map(|&letter| char::from(letter))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_codes_hold_their_alphabet() {
        let random: &dyn Random = &SystemSource;
        assert!(random.id(Timestamp(1_000)) < random.id(Timestamp(2_000)));
        assert_ne!(random.bytes::<32>(), random.bytes::<32>(), "checklist 13: fresh bytes");
        let code = random.code::<8>();
        assert_eq!(code.len(), 8);
        assert!(
            code.chars()
                .all(|c| c.is_ascii_digit() || (c.is_ascii_uppercase() && !"ILOU".contains(c)))
        );
        assert!(random.up_to(0) == 0 && random.up_to(3) <= 3);
    }
}
