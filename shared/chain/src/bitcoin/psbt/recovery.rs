//! What the scripts of trading wallets allow, according to consensus code.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{
    Amount, EcdsaSighashType, OutPoint, ScriptBuf, Sequence, Transaction, TxOut, Witness,
    absolute::LockTime, ecdsa, hashes::Hash, sighash::SighashCache, transaction::Version,
};
use proptest::prelude::*;
use shared::models::trading_wallet::TradingDescriptor;

use crate::bitcoin::{
    consensus::{ConsensusError, verify},
    psbt::fixture::{
        EVEN, ODD, PLATFORM, STRANGER, USER, public, sign, taproot_wallet, txin, txout, wallet,
    },
};

/// A trading wallet and its user's secret.
struct Case {
    wallet: TradingDescriptor,
    user: u8,
}

/// The plain form, and the other form with a key of each parity.
fn cases() -> [Case; 3] {
    [
        Case { wallet: wallet(), user: USER },
        Case { wallet: taproot_wallet(EVEN), user: EVEN },
        Case { wallet: taproot_wallet(ODD), user: ODD },
    ]
}

/// A transaction that spends a coin to a stranger.
fn spend(version: Version, sequence: Sequence) -> Transaction {
    Transaction {
        version,
        lock_time: LockTime::ZERO,
        input: vec![txin(OutPoint::null(), sequence)],
        output: vec![TxOut {
            value: Amount::from_sat(99_000),
            script_pubkey: ScriptBuf::new_op_return([1]),
        }],
    }
}

impl Case {
    fn coin(&self) -> TxOut {
        txout(100_000, self.wallet.script_pubkey())
    }

    fn signature(&self, transaction: &Transaction, n: u8) -> Vec<u8> {
        let script = self.wallet.witness_script();
        let sighash = SighashCache::new(transaction)
            .p2wsh_signature_hash(0, &script, self.coin().value, EcdsaSighashType::All)
            .unwrap();
        ecdsa::Signature::sighash_all(sign(sighash.to_byte_array(), n)).to_vec()
    }

    /// The stack above the platform's element: the user's signature, with an empty element on top if the
    /// script checks another key first.
    fn user_elements<'a>(&self, signature: &'a [u8]) -> Vec<&'a [u8]> {
        let mut keys = self.wallet.user().keys();
        let place = keys.position(|key| key == public(self.user)).unwrap();
        [&[signature][..], &vec![&[][..]; place]].concat()
    }

    /// Whether the coin can be spent with this stack, whose top is last.
    fn accepts(&self, mut transaction: Transaction, stack: &[&[u8]]) -> bool {
        transaction.input[0].witness = Witness::from_slice(stack);
        transaction.input[0].witness.push(self.wallet.witness_script().as_bytes());
        match verify(&transaction, &[self.coin()]) {
            Ok(()) => true,
            Err(ConsensusError::Script { input: 0 }) => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// Whether the user alone can spend the coin.
    fn user_recovers(&self, version: Version, sequence: Sequence) -> bool {
        let transaction = spend(version, sequence);
        let signature = self.signature(&transaction, self.user);
        self.accepts(transaction, &[&[&[][..]], &self.user_elements(&signature)[..]].concat())
    }

    /// Whether any stack of up to four of the elements spends the coin.
    fn any_stack_spends(&self, transaction: &Transaction, elements: &[&[u8]]) -> bool {
        let mut stacks: Vec<Vec<&[u8]>> = vec![vec![]];
        for _ in 0..4 {
            let shorter = stacks.clone();
            stacks.extend(shorter.iter().flat_map(|stack| {
                elements.iter().map(|element| [stack.as_slice(), &[*element]].concat())
            }));
        }
        stacks.iter().any(|stack| self.accepts(transaction.clone(), stack))
    }
}

#[test]
fn both_together_spend_without_delay() {
    for case in cases() {
        let transaction = spend(Version::TWO, Sequence::ENABLE_RBF_NO_LOCKTIME);
        let [user, platform] = [case.user, PLATFORM].map(|n| case.signature(&transaction, n));
        let stack = [&[&platform[..]], &case.user_elements(&user)[..]].concat();
        assert!(case.accepts(transaction.clone(), &stack));
        let swapped = [&[&user[..]], &case.user_elements(&platform)[..]].concat();
        assert!(!case.accepts(transaction, &swapped));
    }
}

#[test]
fn the_user_alone_spends_after_12960_blocks_and_no_earlier() {
    for case in cases() {
        assert!(case.user_recovers(Version::TWO, Sequence::from_height(12_960)));
        assert!(case.user_recovers(Version::TWO, Sequence::from_height(12_961)));
        assert!(!case.user_recovers(Version::TWO, Sequence::from_height(12_959)));
        assert!(!case.user_recovers(Version::TWO, Sequence::ZERO));
    }
}

#[test]
fn the_delay_cannot_be_claimed_without_a_relative_lock() {
    // Version 1 and the disable flag turn relative locks off; the other unit is 512 seconds.
    for case in cases() {
        assert!(!case.user_recovers(Version::ONE, Sequence::from_height(12_960)));
        assert!(!case.user_recovers(Version::TWO, Sequence::MAX));
        assert!(!case.user_recovers(Version::TWO, Sequence::ENABLE_RBF_NO_LOCKTIME));
        assert!(!case.user_recovers(Version::TWO, Sequence::from_512_second_intervals(12_960)));
    }
}

#[test]
fn the_platform_alone_never_spends() {
    for case in cases() {
        for sequence in [Sequence::ENABLE_RBF_NO_LOCKTIME, Sequence::from_height(u16::MAX)] {
            let transaction = spend(Version::TWO, sequence);
            let [platform, stranger] =
                [PLATFORM, STRANGER].map(|n| case.signature(&transaction, n));
            let key = public(PLATFORM).to_bytes();
            let elements: [&[u8]; 5] = [&[], &[1], &platform, &stranger, &key];
            assert!(!case.any_stack_spends(&transaction, &elements));
        }
    }
}

#[test]
fn the_user_alone_never_spends_early() {
    for case in cases() {
        for sequence in [Sequence::ENABLE_RBF_NO_LOCKTIME, Sequence::from_height(12_959)] {
            let transaction = spend(Version::TWO, sequence);
            let [user, stranger] = [case.user, STRANGER].map(|n| case.signature(&transaction, n));
            let key = public(PLATFORM).to_bytes();
            let elements: [&[u8]; 5] = [&[], &[1], &user, &stranger, &key];
            assert!(!case.any_stack_spends(&transaction, &elements));
        }
        // The same search finds a valid stack if there is one.
        let transaction = spend(Version::TWO, Sequence::from_height(12_960));
        let user = case.signature(&transaction, case.user);
        assert!(case.any_stack_spends(&transaction, &[&[], &user]));
    }
}

#[test]
fn no_witness_weighs_more_than_the_descriptor_says() {
    for case in cases() {
        let most = case.wallet.satisfaction_weight().unwrap().to_wu();
        let script = case.wallet.witness_script();
        let weight = |platform: &[u8], user: &[u8]| {
            let mut witness = Witness::from_slice(&[platform]);
            for element in case.user_elements(user) {
                witness.push(element);
            }
            witness.push(script.as_bytes());
            // An unsigned input has one witness byte: the count.
            u64::try_from(witness.size()).unwrap() - 1
        };
        // The longest signature with low S: 71 bytes of DER and the sighash type.
        let longest = weight(&[0; 72], &[0; 72]);
        let empty_elements = u64::try_from(case.user_elements(&[]).len() - 1).unwrap();
        let script_len = u64::try_from(script.len()).unwrap();
        assert_eq!(longest, 1 + 72 + 1 + 72 + empty_elements + 1 + script_len);
        assert!(longest <= most && most <= weight(&[0; 73], &[0; 73]) + 1);
        let real = (0..200).map(|sats| {
            let mut transaction = spend(Version::TWO, Sequence::ENABLE_RBF_NO_LOCKTIME);
            transaction.output[0].value = Amount::from_sat(sats);
            let [user, platform] = [case.user, PLATFORM].map(|n| case.signature(&transaction, n));
            weight(&platform, &user)
        });
        assert_eq!(real.max(), Some(longest));
        // Without the platform's signature it is lighter.
        assert!(weight(&[], &[0; 72]) < longest);
    }
}

/// An element of a random stack.
#[derive(Clone, Debug)]
enum Element {
    User,
    Platform,
    Stranger,
    Key(u8),
    Bytes(Vec<u8>),
}

fn elements() -> impl Strategy<Value = Vec<Element>> {
    let element = prop_oneof![
        3 => Just(Element::User),
        3 => Just(Element::Platform),
        1 => Just(Element::Stranger),
        1 => prop_oneof![Just(EVEN), Just(ODD), Just(PLATFORM)].prop_map(Element::Key),
        4 => Just(Element::Bytes(vec![])),
        1 => prop::collection::vec(any::<u8>(), 0..80).prop_map(Element::Bytes),
    ];
    prop::collection::vec(element, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn custody_12_no_stack_spends_without_the_user_or_early_without_the_platform(
        stack in elements(),
        case in 0..3_usize,
        sequence in prop_oneof![
            Just(0), Just(12_959), Just(12_960), Just(u32::from(u16::MAX)), Just(u32::MAX),
            Just(0xffff_fffd), any::<u32>(),
        ],
        version in 1..3_i32,
    ) {
        let case = &cases()[case];
        let transaction = spend(Version(version), Sequence(sequence));
        let made = |n: &u8| case.signature(&transaction, *n);
        let bytes: Vec<Vec<u8>> = stack
            .iter()
            .map(|element| match element {
                Element::User => made(&case.user),
                Element::Platform => made(&PLATFORM),
                Element::Stranger => made(&STRANGER),
                Element::Key(n) => public(*n).to_bytes(),
                Element::Bytes(bytes) => bytes.clone(),
            })
            .collect();
        let has = |kind: fn(&Element) -> bool| stack.iter().any(kind);
        let lock = Sequence(sequence).to_relative_lock_time();
        let rested = version >= 2
            && lock.is_some_and(|lock| {
                matches!(lock, bitcoin::relative::LockTime::Blocks(it) if it.value() >= 12_960)
            });
        let stack: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
        if case.accepts(transaction, &stack) {
            prop_assert!(has(|element| matches!(element, Element::User)));
            prop_assert!(rested || has(|element| matches!(element, Element::Platform)));
        }
    }
}
