//! The exchange endpoint of the stand-in: it recovers who signed an action, and changes that wallet's state. Its
//! hashing is its own, so it checks that of the service and of clients.

use std::sync::Arc;

use alloy::primitives::{Address, B256, Signature, U256, keccak256};
use axum::{
    Json,
    body::Bytes,
    extract::State,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use perp_venue::venue::{
    SYSTEM_ADDRESS,
    usdc::{Rounding, Usdc},
};
use serde::Deserialize;
use serde_json::json;

use super::{
    info::{Account, Info},
    json_address::JsonAddress,
};

/// A signed action.
#[derive(Deserialize)]
struct Posted {
    action: Action,
    nonce: u64,
    signature: Parts,
}

#[derive(Deserialize)]
struct Parts {
    r: String,
    s: String,
    v: u64,
}

/// The actions that the service builds.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Action {
    SetReferrer {
        code: String,
    },
    ApproveBuilderFee {
        hyperliquid_chain: String,
        signature_chain_id: String,
        max_fee_rate: String,
        builder: JsonAddress,
        nonce: u64,
    },
    SendAsset {
        hyperliquid_chain: String,
        signature_chain_id: String,
        destination: String,
        source_dex: String,
        destination_dex: String,
        token: String,
        amount: String,
        from_sub_account: String,
        nonce: u64,
    },
}

/// The only network of the stand-in.
const NETWORK: &str = "Testnet";

pub(super) async fn exchange(State(info): State<Arc<Info>>, body: Bytes) -> Response {
    let Ok(Posted { action, nonce, signature }) = serde_json::from_slice(&body) else {
        let text = "Failed to deserialize the JSON body into the target type";
        return (StatusCode::UNPROCESSABLE_ENTITY, text).into_response();
    };
    let outcome = match action.digest(nonce).and_then(|digest| signer(digest, &signature)) {
        Some(wallet) => info.act(wallet, &action).await,
        None => Err("Invalid signature".to_owned()),
    };
    Json(match outcome {
        Ok(()) => json!({ "status": "ok", "response": { "type": "default" } }),
        Err(text) => json!({ "status": "err", "response": text }),
    })
    .into_response()
}

fn signer(digest: B256, Parts { r, s, v }: &Parts) -> Option<Address> {
    let signature = Signature::new(number(r)?, number(s)?, *v == 28);
    signature.recover_address_from_prehash(&digest).ok()
}

/// A number in hex with the prefix 0x.
fn number(text: &str) -> Option<U256> {
    U256::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

impl Action {
    /// The digest that its wallet signs (EIP-712); none if the action contradicts itself.
    fn digest(&self, posted: u64) -> Option<B256> {
        let text = |text: &str| keccak256(text);
        match self {
            Self::SetReferrer { code } => {
                let length = u8::try_from(code.len()).ok().filter(|length| *length < 32)?;
                // MessagePack: a map of two texts.
                let packed = [
                    b"\x82\xa4type\xabsetReferrer\xa4code".as_slice(),
                    &[0xa0 | length],
                    code.as_bytes(),
                    &posted.to_be_bytes(),
                    // No vault acts for the wallet.
                    &[0],
                ];
                let words = [text("b"), keccak256(packed.concat())];
                let described = "Agent(string source,bytes32 connectionId)";
                Some(typed(("Exchange", U256::from(1337)), described, &words))
            }
            Self::ApproveBuilderFee {
                hyperliquid_chain,
                signature_chain_id,
                max_fee_rate,
                builder,
                nonce,
            } => {
                let words = [
                    text(hyperliquid_chain),
                    text(max_fee_rate),
                    builder.0.into_word(),
                    U256::from(*nonce).into(),
                ];
                let described = "HyperliquidTransaction:ApproveBuilderFee(string hyperliquidChain,\
                    string maxFeeRate,address builder,uint64 nonce)";
                let domain = ("HyperliquidSignTransaction", number(signature_chain_id)?);
                (*nonce == posted).then(|| typed(domain, described, &words))
            }
            Self::SendAsset {
                hyperliquid_chain,
                signature_chain_id,
                destination,
                source_dex,
                destination_dex,
                token,
                amount,
                from_sub_account,
                nonce,
            } => {
                let texts = [
                    hyperliquid_chain,
                    destination,
                    source_dex,
                    destination_dex,
                    token,
                    amount,
                    from_sub_account,
                ];
                let mut words: Vec<_> = texts.map(|value| text(value)).to_vec();
                words.push(U256::from(*nonce).into());
                let described = "HyperliquidTransaction:SendAsset(string hyperliquidChain,\
                    string destination,string sourceDex,string destinationDex,string token,\
                    string amount,string fromSubAccount,uint64 nonce)";
                let domain = ("HyperliquidSignTransaction", number(signature_chain_id)?);
                (*nonce == posted).then(|| typed(domain, described, &words))
            }
        }
    }
}

/// The digest of typed data: a domain of version 1 by its name and chain id, and a struct by its description and
/// its words.
fn typed((name, chain_id): (&str, U256), described: &str, words: &[B256]) -> B256 {
    let of_domain =
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
    let domain = hash(of_domain, &[keccak256(name), keccak256("1"), chain_id.into(), B256::ZERO]);
    let message = hash(described, words);
    keccak256([[0x19, 0x01].as_slice(), domain.as_slice(), message.as_slice()].concat())
}

fn hash(described: &str, words: &[B256]) -> B256 {
    let first = [keccak256(described)];
    keccak256(first.iter().chain(words).flat_map(|word| word.0).collect::<Vec<_>>())
}

impl Info {
    /// Does what a wallet has signed. The error is the venue's text.
    async fn act(&self, wallet: Address, action: &Action) -> Result<(), String> {
        let account = self.account(wallet).await.map_err(|failure| failure.to_string())?;
        if account == Account::default() && !self.knows(wallet) {
            return Err(format!("User or API Wallet {wallet:#x} does not exist."));
        }
        match action {
            Action::SetReferrer { code } => {
                if account.referrer.is_some() {
                    return Err("Referrer already set.".to_owned());
                }
                self.set(wallet, |account| account.referrer = Some(code.clone()));
            }
            Action::ApproveBuilderFee { hyperliquid_chain, max_fee_rate, builder, .. } => {
                on_this_network(hyperliquid_chain)?;
                let fee = tenths_of_basis_points(max_fee_rate).ok_or("Invalid fee rate.")?;
                if self.is_builder(builder.0) {
                    self.set(wallet, |account| account.max_builder_fee = fee);
                }
            }
            Action::SendAsset { hyperliquid_chain, destination, source_dex, amount, .. } => {
                on_this_network(hyperliquid_chain)?;
                if !destination.eq_ignore_ascii_case(SYSTEM_ADDRESS) {
                    return Err("The stand-in sends to the EVM chain alone.".to_owned());
                }
                let of_spot = source_dex == "spot";
                let amount = Usdc::read(amount, Rounding::Down).ok_or("Invalid amount.")?;
                let held =
                    if of_spot { account.spot.saturating_sub(account.hold) } else { account.perps };
                let whole = amount.checked_add(account.transfer_fee).ok_or("Invalid amount.")?;
                if amount == Usdc::default() || whole > held {
                    return Err("Insufficient balance for withdrawal.".to_owned());
                }
                self.send(wallet, of_spot, whole, amount)
                    .await
                    .map_err(|failure| failure.to_string())?;
            }
        }
        Ok(())
    }
}

fn on_this_network(network: &str) -> Result<(), String> {
    if network == NETWORK { Ok(()) } else { Err(format!("This is {NETWORK}.")) }
}

/// A rate such as `0.05%`, which is 50.
fn tenths_of_basis_points(rate: &str) -> Option<u64> {
    let text = rate.strip_suffix('%')?;
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 3 { None } else { format!("{whole}{part:0<3}").parse().ok() }
}
