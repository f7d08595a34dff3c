//! EVM: EIP-191 `personal_sign` for externally owned accounts, EIP-1271 and EIP-6492 for contract wallets.
//! Accounts that delegate to a contract may wrap their signature as in ERC-8010.

use shared::evm_rpc::{EvmChain, EvmChainError};

use alloy::{
    primitives::{Address, B256, Bytes, Signature, U256, eip191_hash_message, hex},
    sol_types::{SolCall, SolValue},
};

use super::proof::{Proof, WalletError};

/// The creation code of EIP-6492's `ValidateSigOffchain`, section "Reference Implementation", as compiled and
/// published in npm `viem` 2.57.20 (MIT): constant `erc6492SignatureValidatorByteCode` in
/// `constants/contracts.ts`.
static VALIDATOR: [u8; 1709] =
    match hex::const_decode_to_array(include_bytes!("erc6492_validator.hex").trim_ascii()) {
        Ok(code) => code,
        Err(_) => panic!("erc6492_validator.hex is not the hex of 1709 bytes"),
    };

mod abi {
    #![allow(missing_docs)]

    alloy::sol! {
        function isValidSignature(bytes32 hash, bytes signature) external view returns (bytes4);
    }
}

use abi::isValidSignatureCall;

/// The selector of `isValidSignature(bytes32,bytes)`, which is also what it returns for a valid
/// signature (EIP-1271), as an ABI word.
const VALID_SIGNATURE: [u8; 32] =
    hex!("1626ba7e00000000000000000000000000000000000000000000000000000000");

/// Suffix of a signature that says how its wallet is deployed (EIP-6492).
const UNDEPLOYED: [u8; 32] =
    hex!("6492649264926492649264926492649264926492649264926492649264926492");

/// Suffix of a signature of an account that will delegate to a contract (ERC-8010). It follows the signature,
/// the authorization and the authorization's length.
const PRE_DELEGATED: [u8; 32] =
    hex!("8010801080108010801080108010801080108010801080108010801080108010");

/// The signature inside an ERC-8010 wrapper. The authorization is not needed: whether the account has
/// delegated is read from the chain.
fn inside_wrapper(bytes: &[u8]) -> Option<&[u8]> {
    let (rest, length) = bytes.strip_suffix(&PRE_DELEGATED)?.split_last_chunk::<32>()?;
    let length = usize::try_from(U256::from_be_bytes(*length)).ok()?;
    rest.get(..rest.len().checked_sub(length)?)
}

/// Checks a proof for an address and returns the compressed public key in hex; `None` for a contract wallet.
pub(super) async fn verify(
    address: Address,
    proof: &Proof<'_>,
    evm: Option<&dyn EvmChain>,
) -> Result<Option<String>, WalletError> {
    let text = proof.signature;
    let bytes = hex::decode(text).map_err(|_| WalletError::InvalidSignature)?;
    let hash = eip191_hash_message(proof.message);
    let inside = inside_wrapper(&bytes);
    let plain = inside.unwrap_or(&bytes);
    if let Some(signature) = parse_signature(plain)
        && let Ok(key) = signature.recover_from_prehash(&hash)
        && Address::from_public_key(&key) == address
    {
        // This is checked before the contract path: a high-s signature by this key would otherwise reach the
        // validator contract, whose `ecrecover` accepts it.
        if signature.normalize_s().is_some() {
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
        Some(evm) => verify_contract(address, hash, plain, inside.is_some(), evm).await,
        // Signatures of externally owned accounts are never longer.
        None if bytes.len() > 65 => Err(WalletError::ContractWalletsUnavailable),
        None => Err(WalletError::InvalidSignature),
    }
}

/// Parses 65 bytes r, s, v with v of 0, 1, 27 or 28, or the 64 bytes of EIP-2098.
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

/// Compares the client's public key with the recovered one, in SEC1 encodings. Text that is not a public key
/// is ignored, because some clients send the address, or coordinates without a prefix.
fn check_given_key(text: &str, compressed: &[u8], uncompressed: &[u8]) -> Result<(), WalletError> {
    let given = hex::decode(text).unwrap_or_default();
    match (given.first(), given.len()) {
        (Some(2 | 3), 33) if given != compressed => Err(WalletError::PublicKeyMismatch),
        (Some(4), 65) if given != uncompressed => Err(WalletError::PublicKeyMismatch),
        _ => Ok(()),
    }
}

/// Asks the chain whether the contract wallet at the address accepts the signature.
///
/// A deployed wallet is asked directly (EIP-1271). The deployment in the signature is then ignored: it is a
/// call chosen by the signer, and could first change the wallet so that it accepts. Only if the address has
/// no contract does the same `eth_call` deploy the wallet as the signature says (EIP-6492). Any other
/// signature runs no code.
async fn verify_contract(
    address: Address,
    hash: B256,
    signature: &[u8],
    will_delegate: bool,
    evm: &dyn EvmChain,
) -> Result<Option<String>, WalletError> {
    let refused = |error| match error {
        EvmChainError::Failed => WalletError::InvalidSignature,
        EvmChainError::Unavailable(reason) => WalletError::RpcUnavailable(reason),
    };
    let wrapped = signature.strip_suffix(&UNDEPLOYED);
    let is_valid = if evm.has_code(address).await.map_err(refused)? {
        let signature = match wrapped {
            Some(wrapped) => inner_signature(wrapped).ok_or(WalletError::InvalidSignature)?,
            None => Bytes::copy_from_slice(signature),
        };
        let answer =
            evm.call(Some(address), wallet_call(hash, signature)).await.map_err(refused)?;
        answer.starts_with(&VALID_SIGNATURE)
    } else if will_delegate {
        return Err(WalletError::NotDelegated);
    } else if wrapped.is_some() {
        let data = validator_call(address, hash, signature);
        evm.call(None, data).await.map_err(refused)? == [1]
    } else {
        false
    };
    if is_valid { Ok(None) } else { Err(WalletError::InvalidSignature) }
}

/// The inner signature of a wrapped one, `abi.encode(address factory, bytes deployment, bytes signature)`.
fn inner_signature(wrapped: &[u8]) -> Option<Bytes> {
    let (_factory, _deployment, signature) =
        <(Address, Bytes, Bytes)>::abi_decode_params(wrapped).ok()?;
    Some(signature)
}

/// The call `isValidSignature(hash, signature)`.
fn wallet_call(hash: B256, signature: Bytes) -> Vec<u8> {
    isValidSignatureCall { hash, signature }.abi_encode()
}

/// The validator's creation code followed by its constructor's arguments `abi.encode(address, bytes32,
/// bytes)`.
fn validator_call(address: Address, hash: B256, signature: &[u8]) -> Vec<u8> {
    let arguments = (address, hash, Bytes::copy_from_slice(signature)).abi_encode_params();
    [VALIDATOR.as_slice(), &arguments].concat()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

    use std::sync::Mutex;

    use bitcoin::Network;
    use proptest::prelude::*;
    use shared::{
        evm_rpc::EvmAnswer,
        models::wallet::{AddressForm, Chain, WalletAddress},
    };

    use super::*;

    // web3.js 1.x documentation, web3.eth.accounts.sign: the private key is
    // 0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318.
    const ADDRESS: &str = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23";
    const MESSAGE: &str = "Some data";
    const SIGNATURE: &str = "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c";

    /// A chain that gives one prepared response and records its queries.
    struct FakeChain {
        deployed: bool,
        answer: Result<Vec<u8>, EvmChainError>,
        asked: Mutex<Vec<(Option<Address>, Vec<u8>)>>,
    }

    impl FakeChain {
        fn answering(deployed: bool, answer: Result<Vec<u8>, EvmChainError>) -> Self {
            Self { deployed, answer, asked: Mutex::default() }
        }

        fn asked(&self) -> Vec<(Option<Address>, Vec<u8>)> {
            self.asked.lock().unwrap().clone()
        }
    }

    impl EvmChain for FakeChain {
        fn has_code(&self, _address: Address) -> EvmAnswer<'_, bool> {
            let down = matches!(self.answer, Err(EvmChainError::Unavailable(_)));
            let answer = if down { self.answer.clone().map(|_| false) } else { Ok(self.deployed) };
            Box::pin(async { answer })
        }

        fn call(&self, to: Option<Address>, data: Vec<u8>) -> EvmAnswer<'_, Vec<u8>> {
            self.asked.lock().unwrap().push((to, data));
            let answer = self.answer.clone();
            Box::pin(async { answer })
        }
    }

    /// A number as an ABI word.
    fn word(number: u64) -> [u8; 32] {
        U256::from(number).to_be_bytes()
    }

    /// `bytes` in ABI encoding: the length, then the bytes padded to whole words.
    fn encoded_bytes(bytes: &[u8]) -> Vec<u8> {
        let mut encoded = U256::from(bytes.len()).to_be_bytes::<32>().to_vec();
        encoded.extend(bytes);
        encoded.resize(encoded.len().next_multiple_of(32), 0);
        encoded
    }

    fn wrapped(inner: &[u8]) -> Vec<u8> {
        let deployment = encoded_bytes(b"deploy");
        let offsets = [word(7), word(96), word(96 + deployment.len() as u64)].concat();
        [offsets, deployment, encoded_bytes(inner), UNDEPLOYED.to_vec()].concat()
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
            chain.map(|chain| chain as &dyn EvmChain),
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

    /// The signature with n - s in place of s, which verifies under the same key.
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
    fn eip_191_vectors_verify() {
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
    fn eip_2098_vectors_verify() {
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
    fn every_form_of_an_account_signature_is_accepted() {
        let key = Ok(Some(proved_key()));
        let bare = SIGNATURE.trim_start_matches("0x");
        let zero_based = format!("{}01", &SIGNATURE[..130]);
        for text in [SIGNATURE, bare, &zero_based, &bare.to_uppercase(), &compact()] {
            assert_eq!(check_account(MESSAGE, text), key, "{text}");
        }
    }

    #[test]
    fn only_four_values_of_v_are_accepted() {
        for v in 0..=u8::MAX {
            let text = format!("{}{v:02x}", &SIGNATURE[..130]);
            assert_eq!(check_account(MESSAGE, &text).is_ok(), matches!(v, 1 | 28), "{v}");
        }
    }

    #[test]
    fn wrong_message_and_wrong_key_are_refused() {
        let invalid = Err(WalletError::InvalidSignature);
        assert_eq!(check_account("Some other data", SIGNATURE), invalid);
        // EIP-2098's first vector, signed by another key.
        let other = "68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea520641b";
        assert_eq!(check_account("Hello World", other), invalid);
    }

    #[test]
    fn high_s_is_refused_without_asking_the_chain() {
        let text = high_s();
        let signature = parse_signature(&hex::decode(&text).unwrap()).unwrap();
        assert_eq!(
            signature.recover_address_from_msg(MESSAGE).unwrap(),
            ADDRESS.parse::<Address>().unwrap()
        );
        let chain = FakeChain::answering(true, Ok(VALID_SIGNATURE.to_vec()));
        assert_eq!(check(None, MESSAGE, &text, Some(&chain)), Err(WalletError::InvalidSignature));
        assert!(chain.asked().is_empty());
        assert_eq!(check_account(MESSAGE, &text), Err(WalletError::InvalidSignature));
    }

    #[test]
    fn a_given_key_must_match_the_recovered_one() {
        let proved = proved_key();
        let uncompressed = uncompressed_key();
        let with_key = |key: &str| check(Some(key), MESSAGE, SIGNATURE, None);
        for key in ["", &proved, &proved[2..], &uncompressed, &uncompressed[2..]] {
            assert_eq!(with_key(key), Ok(Some(proved.clone())), "{key}");
        }
        let generator = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
        for key in [generator, &format!("04{}", "11".repeat(64))] {
            assert_eq!(with_key(key), Err(WalletError::PublicKeyMismatch), "{key}");
        }
        // Text that is not a key is ignored: the address, bare coordinates, anything.
        let other = format!("05{}", &generator[2..]);
        for key in ["0x", "zz", "02", &proved[4..], &other, ADDRESS, &"11".repeat(64)] {
            assert_eq!(with_key(key), Ok(Some(proved.clone())), "{key}");
        }
    }

    #[test]
    fn an_account_signature_does_not_query_the_chain() {
        let down = EvmChainError::Unavailable("down".to_owned());
        let chain = FakeChain::answering(true, Err(down));
        for text in [SIGNATURE, &compact()] {
            assert!(check(None, MESSAGE, text, Some(&chain)).is_ok());
        }
        assert!(check(None, MESSAGE, "0xnothex", Some(&chain)).is_err());
        assert!(chain.asked().is_empty());
    }

    #[test]
    fn a_deployed_wallet_is_asked_directly() {
        let chain = FakeChain::answering(true, Ok(VALID_SIGNATURE.to_vec()));
        // 66 bytes, so that padding is needed.
        let signature = [0xab; 66];
        // A contract has no key, so the given one is ignored.
        for sent in [signature.to_vec(), wrapped(&signature)] {
            let text = hex::encode(sent);
            assert_eq!(check(Some("whatever"), "Hello World", &text, Some(&chain)), Ok(None));
        }
        let arguments = [
            "a1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2",
            "0000000000000000000000000000000000000000000000000000000000000040",
            "0000000000000000000000000000000000000000000000000000000000000042",
            "abababababababababababababababababababababababababababababababab",
            "abababababababababababababababababababababababababababababababab",
            "abab000000000000000000000000000000000000000000000000000000000000",
        ];
        let data = hex::decode(format!("1626ba7e{}", arguments.concat())).unwrap();
        let call = (Some(ADDRESS.parse().unwrap()), data);
        assert_eq!(chain.asked(), [call.clone(), call], "a deployed wallet is not deployed again");
    }

    #[test]
    fn an_undeployed_wallet_takes_one_call() {
        let chain = FakeChain::answering(false, Ok(vec![1]));
        let signature = wrapped(&[0xab; 65]);
        let text = hex::encode(&signature);
        assert_eq!(check(None, "Hello World", &text, Some(&chain)), Ok(None));
        let arguments = [
            "0000000000000000000000002c7536e3605d9c16a7a3d7b1898e529396a65c23".to_owned(),
            "a1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2".to_owned(),
            hex::encode(word(96)),
            hex::encode(encoded_bytes(&signature)),
        ];
        let data = include_str!("erc6492_validator.hex").trim().to_owned() + &arguments.concat();
        assert_eq!(chain.asked(), [(None, hex::decode(data).unwrap())]);
    }

    #[test]
    fn an_undeployed_wallet_without_deployment_runs_no_code() {
        let chain = FakeChain::answering(false, Ok(vec![1]));
        for len in [0, 64, 65, 200] {
            let text = hex::encode(vec![0xab; len]);
            let refused = Err(WalletError::InvalidSignature);
            assert_eq!(check(None, MESSAGE, &text, Some(&chain)), refused);
        }
        assert!(chain.asked().is_empty());
    }

    #[test]
    fn a_malformed_wrapper_runs_no_code() {
        let chain = FakeChain::answering(true, Ok(VALID_SIGNATURE.to_vec()));
        let whole = wrapped(&[0xab; 65]);
        let body = &whole[..whole.len() - 32];
        let far = [vec![0xff; 96], UNDEPLOYED.to_vec()].concat();
        for broken in [UNDEPLOYED.to_vec(), [&body[..100], &UNDEPLOYED].concat(), far] {
            let refused = Err(WalletError::InvalidSignature);
            assert_eq!(check(None, MESSAGE, &hex::encode(broken), Some(&chain)), refused);
        }
        assert!(chain.asked().is_empty());
    }

    #[test]
    fn whole_words_get_no_padding() {
        for (len, words) in [(0, 0), (1, 1), (31, 1), (32, 1), (33, 2), (64, 2), (65, 3)] {
            let call = wallet_call(B256::ZERO, vec![1; len].into());
            assert_eq!(call.len(), 4 + (3 + words) * 32);
        }
    }

    #[test]
    fn results_of_the_chain_decide() {
        let plain = hex::encode([0xab; 65]);
        let other = [vec![0; 28], VALID_SIGNATURE[..4].to_vec()].concat();
        for (deployed, answer, expected) in [
            (true, Ok(VALID_SIGNATURE.to_vec()), Ok(None)),
            (true, Ok([VALID_SIGNATURE, [0; 32]].concat()), Ok(None)),
            (true, Ok(VALID_SIGNATURE[..31].to_vec()), Err(WalletError::InvalidSignature)),
            (true, Ok(vec![0xff; 32]), Err(WalletError::InvalidSignature)),
            (true, Ok(other), Err(WalletError::InvalidSignature)),
            (true, Ok(vec![]), Err(WalletError::InvalidSignature)),
            (true, Err(EvmChainError::Failed), Err(WalletError::InvalidSignature)),
            (false, Ok(vec![1]), Ok(None)),
            (false, Ok(vec![0]), Err(WalletError::InvalidSignature)),
            (false, Ok(vec![1, 1]), Err(WalletError::InvalidSignature)),
            (false, Ok([vec![0; 31], vec![1]].concat()), Err(WalletError::InvalidSignature)),
            (false, Err(EvmChainError::Failed), Err(WalletError::InvalidSignature)),
            (
                true,
                Err(EvmChainError::Unavailable("down".to_owned())),
                Err(WalletError::RpcUnavailable("down".to_owned())),
            ),
        ] {
            let chain = FakeChain::answering(deployed, answer.clone());
            let text = if deployed { plain.clone() } else { hex::encode(wrapped(&[0xab; 65])) };
            assert_eq!(check(None, MESSAGE, &text, Some(&chain)), expected, "{answer:?}");
        }
    }

    // npm viem, `serializeErc8010Signature` of `SIGNATURE`, with an authorization for 0x…dEaD on chain 1 by
    // the same key.
    const PRE_DELEGATED_SIGNATURE: &str = "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c0000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000dead000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000005edf9adf499af27270e4f1d80505c0719d60734241e72581e3c253a1f91af5b00b779fe593624614dd4186a9f634707c745c679ecd485a2d28d0a8334fd04a350000000000000000000000002c7536e3605d9c16a7a3d7b1898e529396a65c230000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001208010801080108010801080108010801080108010801080108010801080108010";

    /// A signature wrapped with an authorization of zeros.
    fn will_delegate(inner: &[u8]) -> String {
        hex::encode([inner, &[0; 288], &word(288), &PRE_DELEGATED].concat())
    }

    #[test]
    fn an_erc_8010_wrapper_around_the_own_keys_signature_is_opened() {
        let key = Ok(Some(proved_key()));
        let chain = FakeChain::answering(true, Ok(VALID_SIGNATURE.to_vec()));
        for chain in [None, Some(&chain)] {
            assert_eq!(check(None, MESSAGE, PRE_DELEGATED_SIGNATURE, chain), key);
        }
        assert!(chain.asked().is_empty(), "the key is enough");
        // High s and another message are refused inside, too.
        let high = hex::decode(high_s()).unwrap();
        let refused = Err(WalletError::InvalidSignature);
        assert_eq!(check(None, MESSAGE, &will_delegate(&high), Some(&chain)), refused);
        let chain = FakeChain::answering(false, Ok(vec![1]));
        let other = check(None, "Some other data", PRE_DELEGATED_SIGNATURE, Some(&chain));
        assert_eq!(other, Err(WalletError::NotDelegated));
        let without = check_account("Some other data", PRE_DELEGATED_SIGNATURE);
        assert_eq!(without, Err(WalletError::ContractWalletsUnavailable));
    }

    #[test]
    fn an_erc_8010_signature_for_the_contract_is_checked_once_the_account_has_delegated() {
        let text = will_delegate(&[0xcd; 99]);
        let chain = FakeChain::answering(true, Ok(VALID_SIGNATURE.to_vec()));
        assert_eq!(check(None, MESSAGE, &text, Some(&chain)), Ok(None));
        let asked = chain.asked();
        let inner = wallet_call(eip191_hash_message(MESSAGE), vec![0xcd; 99].into());
        assert_eq!(asked.iter().map(|(_, data)| data).collect::<Vec<_>>(), [&inner]);
        let chain = FakeChain::answering(false, Ok(vec![1]));
        assert_eq!(check(None, MESSAGE, &text, Some(&chain)), Err(WalletError::NotDelegated));
        assert!(chain.asked().is_empty(), "nothing is deployed or simulated");
    }

    #[test]
    fn a_malformed_erc_8010_wrapper_is_no_wrapper() {
        let chain = FakeChain::answering(false, Ok(vec![1]));
        let whole = hex::decode(PRE_DELEGATED_SIGNATURE).unwrap();
        for broken in [
            PRE_DELEGATED.to_vec(),
            whole[whole.len() - 40..].to_vec(),
            [vec![0xff; 96], PRE_DELEGATED.to_vec()].concat(),
        ] {
            let refused = Err(WalletError::InvalidSignature);
            assert_eq!(check(None, MESSAGE, &hex::encode(broken), Some(&chain)), refused);
        }
    }

    #[test]
    fn without_rpc_only_longer_signatures_count_as_contract_wallets() {
        for (len, error) in [
            (0, WalletError::InvalidSignature),
            (64, WalletError::InvalidSignature),
            (65, WalletError::InvalidSignature),
            (66, WalletError::ContractWalletsUnavailable),
        ] {
            assert_eq!(check_account(MESSAGE, &"ab".repeat(len)), Err(error));
        }
        let told = WalletError::ContractWalletsUnavailable.to_string();
        assert!(told.contains("EVM_RPC_URL") && told.contains("own key"), "{told}");
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
