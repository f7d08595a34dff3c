//! Adds the platform's signatures and builds the transaction to broadcast.

use bitcoin::{PublicKey, Script, Transaction, Witness, ecdsa, secp256k1::Secp256k1};

use super::{
    InputOwner, IssuedPsbt, Signatures,
    check::{is_valid, signer},
};
use crate::bitcoin::consensus::{self, ConsensusError};

/// A digest that the platform has to sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToSign {
    /// Index of the input.
    pub input: usize,
    /// The key that signs.
    pub key: PublicKey,
    /// BIP 143's digest for SIGHASH_ALL.
    pub digest: [u8; 32],
}

/// The digests that the platform signs: one per input.
pub fn digests(issued: &IssuedPsbt) -> Vec<ToSign> {
    let inputs = issued.inputs.iter().enumerate();
    inputs
        .map(|(input, ours)| ToSign {
            input,
            key: ours.spent.owner.platform_key(),
            digest: ours.digest,
        })
        .collect()
}

/// The signer of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The user.
    User,
    /// The platform.
    Platform,
}

/// Why a transaction cannot be finalised.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FinaliseError {
    /// An input lacks a signature.
    #[error("input {input}: the signature of {role:?} is missing")]
    Missing {
        /// Index of the input.
        input: usize,
        /// The missing signer.
        role: Role,
    },
    /// A signature is invalid, not SIGHASH_ALL, or has a high S.
    #[error("input {input}: the signature of {role:?} is not valid")]
    Invalid {
        /// Index of the input.
        input: usize,
        /// The signer.
        role: Role,
    },
    /// A signature that no input needs.
    #[error("input {input}: unexpected signature of {role:?}")]
    Surplus {
        /// Index of the input.
        input: usize,
        /// The signer.
        role: Role,
    },
    /// The finished transaction is invalid.
    #[error(transparent)]
    Consensus(#[from] ConsensusError),
}

/// Inserts the signatures and runs every script with Bitcoin Core's code. `user` has a signature for each
/// trading coin, `platform` one for each input.
pub fn finalise(
    issued: &IssuedPsbt,
    user: &Signatures,
    platform: &Signatures,
) -> Result<Transaction, FinaliseError> {
    let user = Signer { role: Role::User, signatures: user };
    let platform = Signer { role: Role::Platform, signatures: platform };
    user.refuse_surplus(issued)?;
    platform.refuse_surplus(issued)?;
    let secp = Secp256k1::verification_only();
    let mut transaction = issued.transaction().clone();
    for (input, (txin, ours)) in transaction.input.iter_mut().zip(&issued.inputs).enumerate() {
        let owner = &ours.spent.owner;
        let is_platforms = |signature: &ecdsa::Signature| {
            is_valid(&secp, signature, &ours.digest, &owner.platform_key()).then_some(())
        };
        let (platform, ()) = platform.signature(input, is_platforms)?;
        txin.witness = match owner {
            InputOwner::Trading(wallet) => {
                let (user, (place, _)) = user
                    .signature(input, |signature| signer(&secp, wallet, signature, &ours.digest))?;
                p2wsh(&[platform, user], place, &wallet.witness_script())
            }
            InputOwner::Platform(key) => Witness::p2wpkh(&platform, &key.0),
        };
    }
    consensus::verify(&transaction, &issued.prevouts())?;
    Ok(transaction)
}

/// The witness stack. The signature that the script checks first is last, on top of the stack; an empty
/// element stands for each earlier key that has not signed.
fn p2wsh(signatures: &[ecdsa::Signature], unsigned: usize, script: &Script) -> Witness {
    let mut witness = Witness::new();
    for signature in signatures {
        witness.push_ecdsa_signature(signature);
    }
    for _key in 0..unsigned {
        witness.push([]);
    }
    witness.push(script.as_bytes());
    witness
}

struct Signer<'a> {
    role: Role,
    signatures: &'a Signatures,
}

impl Signer<'_> {
    /// The signature of an input, with the result of `verify` if it is valid.
    fn signature<T>(
        &self,
        input: usize,
        verify: impl Fn(&ecdsa::Signature) -> Option<T>,
    ) -> Result<(ecdsa::Signature, T), FinaliseError> {
        let role = self.role;
        let signature =
            self.signatures.get(&input).ok_or(FinaliseError::Missing { input, role })?;
        let found = verify(signature).ok_or(FinaliseError::Invalid { input, role })?;
        Ok((*signature, found))
    }

    fn refuse_surplus(&self, issued: &IssuedPsbt) -> Result<(), FinaliseError> {
        let is_due = |input: usize| match issued.inputs.get(input).map(|ours| &ours.spent.owner) {
            Some(InputOwner::Trading(_)) => true,
            Some(InputOwner::Platform(_)) => self.role == Role::Platform,
            None => false,
        };
        match self.signatures.keys().find(|input| !is_due(**input)) {
            Some(input) => Err(FinaliseError::Surplus { input: *input, role: self.role }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
