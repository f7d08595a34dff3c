//! EVM: EIP-191 `personal_sign` for accounts with a key, EIP-1271 and EIP-6492 for
//! contract wallets.

use std::pin::Pin;

use alloy::primitives::{Address, B256, Signature, U256, eip191_hash_message, hex};

use super::{Proof, WalletError};

/// The creation code of EIP-6492's `ValidateSigOffchain`, from section "Reference
/// Implementation", as compiled and published in npm `viem` 2.57.20 (MIT), constant
/// `erc6492SignatureValidatorByteCode` of `constants/contracts.ts`.
static VALIDATOR: [u8; 1709] =
    match hex::const_decode_to_array(include_bytes!("erc6492_validator.hex").trim_ascii()) {
        Ok(code) => code,
        Err(_) => panic!("erc6492_validator.hex is not the hex of 1709 bytes"),
    };

/// Half of the order of secp256k1, rounded down: the largest "low" s (EIP-2).
const HALF_ORDER: U256 =
    U256::from_be_bytes(hex!("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0"));

/// What an [`EthCall`] comes to.
pub type EthCallFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<u8>, EthCallError>> + Send + 'a>>;

/// One question to an EVM chain. Kept abstract so that no HTTP client is needed here.
pub trait EthCall: Send + Sync {
    /// Runs `eth_call` on the latest block, with `data` and without `to`: the node runs
    /// `data` as creation code and answers with what the code returns. Nothing is stored.
    fn eth_call(&self, data: Vec<u8>) -> EthCallFuture<'_>;
}

/// Why an [`EthCall`] has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EthCallError {
    /// The node ran the code and it reverted. An answer of the chain, not a fault.
    #[error("execution reverted")]
    Reverted,
    /// The node could not be reached, or gave no usable answer; with the reason.
    #[error("no answer from the node: {0}")]
    Unavailable(String),
}

/// Checks a proof for an address and returns the compressed public key in hex, `None` for
/// a contract wallet.
pub(super) async fn verify(
    address: Address,
    proof: &Proof<'_>,
    evm: Option<&dyn EthCall>,
) -> Result<Option<String>, WalletError> {
    let text = proof.signature;
    let bytes = hex::decode(text).map_err(|_| WalletError::InvalidSignature)?;
    let hash = eip191_hash_message(proof.message);
    if let Some(signature) = parse_signature(&bytes)
        && let Ok(key) = signature.recover_from_prehash(&hash)
        && Address::from_public_key(&key) == address
    {
        // Checked only now: a high-s signature by the very key would otherwise go on to the
        // validator contract, whose `ecrecover` takes it.
        if signature.s() > HALF_ORDER {
            return Err(WalletError::InvalidSignature);
        }
        let compressed = key.to_encoded_point(true);
        if let Some(given) = proof.given_key() {
            let uncompressed = key.to_encoded_point(false);
            check_given_key(given, compressed.as_bytes(), uncompressed.as_bytes())?;
        }
        return Ok(Some(hex::encode_prefixed(compressed.as_bytes())));
    }
    match evm {
        Some(evm) => verify_contract(address, hash, &bytes, evm).await,
        // No account with a key has a longer signature.
        None if bytes.len() > 65 => Err(WalletError::ContractWalletsUnavailable),
        None => Err(WalletError::InvalidSignature),
    }
}

/// 65 bytes r, s, v with v of 0, 1, 27 or 28, or the 64 bytes of EIP-2098.
fn parse_signature(bytes: &[u8]) -> Option<Signature> {
    match bytes {
        [rs @ .., v] if rs.len() == 64 => {
            let odd = match v {
                0 | 27 => false,
                1 | 28 => true,
                _ => return None,
            };
            Some(Signature::from_bytes_and_parity(rs, odd))
        }
        compact if compact.len() == 64 => Some(Signature::from_erc2098(compact)),
        _ => None,
    }
}

/// The client's idea of the public key against the recovered one, in SEC1 encodings.
fn check_given_key(text: &str, compressed: &[u8], uncompressed: &[u8]) -> Result<(), WalletError> {
    let given = hex::decode(text).map_err(|_| WalletError::MalformedPublicKey)?;
    if given == compressed || given == uncompressed {
        return Ok(());
    }
    match (given.first(), given.len()) {
        (Some(2 | 3), 33) | (Some(4), 65) => Err(WalletError::PublicKeyMismatch),
        _ => Err(WalletError::MalformedPublicKey),
    }
}

/// Asks the chain, in one call, whether the contract at the address takes the signature
/// (EIP-1271), deploying it for the time of the call if the signature says how (EIP-6492).
async fn verify_contract(
    address: Address,
    hash: B256,
    signature: &[u8],
    evm: &dyn EthCall,
) -> Result<Option<String>, WalletError> {
    match evm.eth_call(validator_call(address, hash, signature)).await {
        Ok(answer) if answer == [1] => Ok(None),
        Ok(_) | Err(EthCallError::Reverted) => Err(WalletError::InvalidSignature),
        Err(EthCallError::Unavailable(reason)) => Err(WalletError::RpcUnavailable(reason)),
    }
}

/// The validator's creation code, then its constructor's arguments
/// `abi.encode(address, bytes32, bytes)`.
fn validator_call(address: Address, hash: B256, signature: &[u8]) -> Vec<u8> {
    /// Three head words: address, hash, offset of the bytes.
    const HEAD: u64 = 96;
    let word = |number: U256| number.to_be_bytes::<32>();
    let padding = signature.len().next_multiple_of(32).saturating_sub(signature.len());
    [
        VALIDATOR.as_slice(),
        address.into_word().as_slice(),
        hash.as_slice(),
        &word(U256::from(HEAD)),
        &word(U256::from(signature.len())),
        signature,
        &vec![0; padding],
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

    use std::sync::Mutex;

    use bitcoin::Network;
    use proptest::prelude::*;

    use super::*;
    use crate::models::wallet::{AddressForm, Chain, WalletAddress};

    // web3.js 1.x documentation, web3.eth.accounts.sign: the private key is
    // 0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318.
    const ADDRESS: &str = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23";
    const MESSAGE: &str = "Some data";
    const SIGNATURE: &str = "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c";

    /// A chain that gives one prepared answer and remembers what it was asked.
    struct FakeChain {
        answer: Result<Vec<u8>, EthCallError>,
        asked: Mutex<Vec<Vec<u8>>>,
    }

    impl FakeChain {
        fn answering(answer: Result<Vec<u8>, EthCallError>) -> Self {
            Self { answer, asked: Mutex::default() }
        }

        fn asked(&self) -> Vec<Vec<u8>> {
            self.asked.lock().unwrap().clone()
        }
    }

    impl EthCall for FakeChain {
        fn eth_call(&self, data: Vec<u8>) -> EthCallFuture<'_> {
            self.asked.lock().unwrap().push(data);
            let answer = self.answer.clone();
            Box::pin(async { answer })
        }
    }

    fn check(
        public_key: Option<&str>,
        message: &str,
        signature: &str,
        chain: Option<&FakeChain>,
    ) -> Result<Option<String>, WalletError> {
        let address = WalletAddress::parse(Chain::Evm, ADDRESS, Network::Bitcoin).unwrap();
        let AddressForm::Evm(parsed) = address.form() else { panic!("not EVM") };
        let proof = Proof { address: &address, public_key, message, signature };
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(verify(
            *parsed,
            &proof,
            chain.map(|chain| chain as &dyn EthCall),
        ))
    }

    fn check_account(message: &str, signature: &str) -> Result<Option<String>, WalletError> {
        check(None, message, signature, None)
    }

    fn proved_key() -> String {
        check_account(MESSAGE, SIGNATURE).unwrap().unwrap()
    }

    fn uncompressed_key() -> String {
        let bytes = hex::decode(SIGNATURE).unwrap();
        let key = parse_signature(&bytes).unwrap().recover_from_msg(MESSAGE).unwrap();
        hex::encode_prefixed(key.to_encoded_point(false).as_bytes())
    }

    /// The signature with n - s for s, which verifies under the same key.
    fn high_s() -> String {
        const ORDER: U256 = U256::from_be_bytes(hex!(
            "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
        ));
        let low = parse_signature(&hex::decode(SIGNATURE).unwrap()).unwrap();
        hex::encode_prefixed(Signature::new(low.r(), ORDER - low.s(), !low.v()).as_bytes())
    }

    fn compact() -> String {
        let signature = parse_signature(&hex::decode(SIGNATURE).unwrap()).unwrap();
        hex::encode_prefixed(signature.as_erc2098())
    }

    #[test]
    fn eip_191_vectors() {
        // web3.js 1.x documentation, web3.eth.accounts.hashMessage.
        assert_eq!(
            hex::encode(eip191_hash_message("Hello World")),
            "a1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2"
        );
        let key = proved_key();
        assert!(key.starts_with("0x02") || key.starts_with("0x03"), "{key}");
        assert_eq!(key.len(), 68);
    }

    #[test]
    fn eip_2098_vectors() {
        // EIP-2098, section "Test Vectors"; the messages are hashed by EIP-191.
        const KEY_ADDRESS: &str = "0x2e988a386a799f506693793c6a5af6b54dfaabfb";
        let vectors = [
            (
                "Hello World",
                "68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b90",
                "7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064",
                "1b",
                "7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064",
            ),
            (
                "It's a small(er) world",
                "9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76",
                "139c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793",
                "1c",
                "939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793",
            ),
        ];
        for (message, r, s, v, y_parity_and_s) in vectors {
            for text in [format!("{r}{s}{v}"), format!("0x{r}{y_parity_and_s}")] {
                let signature = parse_signature(&hex::decode(text).unwrap()).unwrap();
                assert_eq!(
                    signature.recover_address_from_msg(message).unwrap(),
                    KEY_ADDRESS.parse::<Address>().unwrap()
                );
            }
        }
    }

    #[test]
    fn every_form_of_an_account_signature() {
        let key = Ok(Some(proved_key()));
        let bare = SIGNATURE.trim_start_matches("0x");
        let zero_based = format!("{}01", &SIGNATURE[..130]);
        for text in [SIGNATURE, bare, &zero_based, &bare.to_uppercase(), &compact()] {
            assert_eq!(check_account(MESSAGE, text), key, "{text}");
        }
    }

    #[test]
    fn only_four_values_of_v() {
        for v in 0..=u8::MAX {
            let text = format!("{}{v:02x}", &SIGNATURE[..130]);
            assert_eq!(check_account(MESSAGE, &text).is_ok(), matches!(v, 1 | 28), "{v}");
        }
    }

    #[test]
    fn wrong_message_and_wrong_key() {
        let invalid = Err(WalletError::InvalidSignature);
        assert_eq!(check_account("Some other data", SIGNATURE), invalid);
        // EIP-2098's first vector: a signature by another key.
        let other = "68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea520641b";
        assert_eq!(check_account("Hello World", other), invalid);
    }

    #[test]
    fn high_s_is_refused_and_not_passed_on() {
        let text = high_s();
        let signature = parse_signature(&hex::decode(&text).unwrap()).unwrap();
        assert_eq!(
            signature.recover_address_from_msg(MESSAGE).unwrap(),
            ADDRESS.parse::<Address>().unwrap()
        );
        let chain = FakeChain::answering(Ok(vec![1]));
        assert_eq!(check(None, MESSAGE, &text, Some(&chain)), Err(WalletError::InvalidSignature));
        assert!(chain.asked().is_empty());
        assert_eq!(check_account(MESSAGE, &text), Err(WalletError::InvalidSignature));
    }

    #[test]
    fn a_given_key_must_be_the_recovered_one() {
        let proved = proved_key();
        let uncompressed = uncompressed_key();
        let with_key = |key: &str| check(Some(key), MESSAGE, SIGNATURE, None);
        for key in ["", &proved, &proved[2..], &uncompressed, &uncompressed[2..]] {
            assert_eq!(with_key(key), Ok(Some(proved.clone())), "{key}");
        }
        let generator = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
        assert_eq!(with_key(generator), Err(WalletError::PublicKeyMismatch));
        for key in ["0x", "zz", "02", &proved[4..], &format!("05{}", &generator[2..])] {
            assert_eq!(with_key(key), Err(WalletError::MalformedPublicKey), "{key}");
        }
    }

    #[test]
    fn an_account_signature_asks_nobody() {
        let chain = FakeChain::answering(Err(EthCallError::Unavailable("down".to_owned())));
        for text in [SIGNATURE, &compact()] {
            assert!(check(None, MESSAGE, text, Some(&chain)).is_ok());
        }
        assert!(check(None, MESSAGE, "0xnothex", Some(&chain)).is_err());
        assert!(chain.asked().is_empty());
    }

    #[test]
    fn a_contract_wallet_is_one_call() {
        let chain = FakeChain::answering(Ok(vec![1]));
        // 66 bytes, so that the padding shows.
        let signature = format!("0x{}", "ab".repeat(66));
        // A contract has no key, so the given one says nothing.
        assert_eq!(check(Some("whatever"), "Hello World", &signature, Some(&chain)), Ok(None));
        let asked = chain.asked();
        assert_eq!(asked.len(), 1);
        let arguments = [
            "0000000000000000000000002c7536e3605d9c16a7a3d7b1898e529396a65c23",
            "a1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2",
            "0000000000000000000000000000000000000000000000000000000000000060",
            "0000000000000000000000000000000000000000000000000000000000000042",
            "abababababababababababababababababababababababababababababababab",
            "abababababababababababababababababababababababababababababababab",
            "abab000000000000000000000000000000000000000000000000000000000000",
        ];
        assert_eq!(
            hex::encode(&asked[0]),
            include_str!("erc6492_validator.hex").trim().to_owned() + &arguments.concat()
        );
    }

    #[test]
    fn whole_words_are_not_padded() {
        let call = |len| validator_call(Address::ZERO, B256::ZERO, &vec![1; len]).len();
        for (len, words) in [(0, 0), (1, 1), (31, 1), (32, 1), (33, 2), (64, 2), (65, 3)] {
            assert_eq!(call(len), VALIDATOR.len() + 4 * 32 + words * 32);
        }
    }

    #[test]
    fn the_answers_of_the_chain() {
        let signature = format!("0x{}", "ab".repeat(65));
        for (answer, expected) in [
            (Ok(vec![1]), Ok(None)),
            (Ok(vec![0]), Err(WalletError::InvalidSignature)),
            (Ok(vec![]), Err(WalletError::InvalidSignature)),
            (Ok(vec![1, 1]), Err(WalletError::InvalidSignature)),
            (Ok([vec![0; 31], vec![1]].concat()), Err(WalletError::InvalidSignature)),
            (Err(EthCallError::Reverted), Err(WalletError::InvalidSignature)),
            (
                Err(EthCallError::Unavailable("down".to_owned())),
                Err(WalletError::RpcUnavailable("down".to_owned())),
            ),
        ] {
            let chain = FakeChain::answering(answer);
            assert_eq!(check(None, MESSAGE, &signature, Some(&chain)), expected);
            assert_eq!(chain.asked().len(), 1);
        }
    }

    #[test]
    fn without_rpc_only_a_longer_signature_is_a_contract_wallet_s() {
        for (len, error) in [
            (0, WalletError::InvalidSignature),
            (64, WalletError::InvalidSignature),
            (65, WalletError::InvalidSignature),
            (66, WalletError::ContractWalletsUnavailable),
        ] {
            assert_eq!(check_account(MESSAGE, &"ab".repeat(len)), Err(error));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_cut_or_flipped_signature_is_refused(cut in 0_usize..132, bit in 0_usize..512) {
            prop_assert!(check_account(MESSAGE, &SIGNATURE[..cut]).is_err());
            let mut bytes = hex::decode(SIGNATURE).unwrap();
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(check_account(MESSAGE, &hex::encode(bytes)).is_err());
        }
    }
}
