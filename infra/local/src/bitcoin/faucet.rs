//! Payments from the world's own purses: coins, runes, inscriptions.

use bitcoin::{
    Address, Amount, OutPoint, ScriptBuf, Transaction, TxOut, consensus::encode::serialize_hex,
};
use bitcoin_model::chain::{Chain, Coin};
use ordinals::{Artifact, Edict, Height, Rune, RuneId, Runestone, SpacedRune};
use serde_json::{Value, json};
use shared::models::bitcoin::InscriptionId;

use super::{
    error::WorldError,
    ord::{OrdServer, Runes},
    purse::{POSTAGE, Purse, pay},
    state::{PendingRunes, Running},
    world::BitcoinWorld,
};
use crate::base::{
    failure::{Context, Failure, Result},
    names::NETWORK,
};

/// Maximum body of an inscription, in bytes; larger transactions are not relayed.
const LONGEST_BODY: usize = 380_000;
/// Maximum content type, in bytes.
const LONGEST_CONTENT_TYPE: usize = 200;
/// Maximum push of a script, in bytes (BIP-342).
const LONGEST_PUSH: usize = 520;
/// All satoshis that will ever exist.
const MOST_SATS: u64 = 2_100_000_000_000_000;

/// A rune to etch.
#[derive(Clone, Debug)]
pub struct Etching {
    /// Name of the rune: at least 13 capital letters, with `•` or `.` in between.
    pub name: String,
    /// Supply, in the rune's smallest units.
    pub supply: u128,
    /// Number of decimals.
    pub divisibility: u8,
    /// Address that receives the supply; `None`: the faucet, which hands it out.
    pub to: Option<Address>,
}

/// A new inscription and its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inscribed {
    /// Id of the inscription.
    pub id: InscriptionId,
    /// The output that holds it.
    pub outpoint: OutPoint,
}

impl BitcoinWorld {
    /// Pays an address. No block is mined.
    ///
    /// # Errors
    /// No output can carry the sum, or the faucet cannot pay it.
    pub async fn fund(&self, to: &Address, sats: u64) -> Result<OutPoint, WorldError> {
        let output = paying(to, sats)?;
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let chain = running.index.read().await?;
        let transaction = running.pay(&chain, &[], vec![output])?;
        drop(chain);
        running.send(&transaction).await?;
        Ok(OutPoint { txid: transaction.compute_txid(), vout: 0 })
    }

    /// Pays an address with some of a rune that the faucet holds. No block is mined; ord reports the payment
    /// after the next one. `amount` is in the rune's smallest units.
    ///
    /// # Errors
    /// As [`Self::fund`]; also if the rune does not exist or the faucet has too little of it.
    pub async fn fund_rune(
        &self,
        to: &Address,
        sats: u64,
        rune: RuneId,
        amount: u128,
    ) -> Result<OutPoint, WorldError> {
        let output = paying(to, sats)?;
        if amount == 0 {
            return Err(WorldError::wrong("amount must be 1 or more"));
        }
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let name = running.name_of(rune).await?;
        let chain = running.index.read().await?;
        let coins = running.rune_coins(&chain).await?;
        let (given, left) = choose(coins, &name, amount)?;

        let has_change = left.values().any(|amount| *amount > 0);
        let edict = Edict { id: rune, amount, output: 1_u32.saturating_add(has_change.into()) };
        let stone = Runestone { edicts: vec![edict], pointer: Some(1), ..Runestone::default() };
        let mut outputs = vec![TxOut { value: Amount::ZERO, script_pubkey: stone.encipher() }];
        if has_change {
            let script_pubkey = running.runes.script().clone();
            outputs.push(TxOut { value: POSTAGE, script_pubkey });
        }
        outputs.push(output);
        let given: Vec<_> = given.into_iter().map(|coin| (coin, &running.runes)).collect();
        let transaction = running.pay(&chain, &given, outputs)?;
        drop(chain);
        check(&transaction)?;
        running.send(&transaction).await?;
        let txid = transaction.compute_txid();
        if has_change {
            running.pending().insert(OutPoint { txid, vout: 1 }, left);
        }
        Ok(OutPoint { txid, vout: edict.output })
    }

    /// Etches a rune with its whole supply: mines the six blocks that its name commitment needs, and the one
    /// with the etching.
    ///
    /// # Errors
    /// The name cannot be etched, or the supply is zero.
    pub async fn etch(&self, wanted: &Etching) -> Result<RuneId, WorldError> {
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let name = wanted.etchable(running.node.height().await?)?;
        if running.rune(&name.rune.to_string()).await?.is_some() {
            return Err(WorldError::wrong(format_args!("there is a rune {name} already")));
        }
        let holder =
            wanted.to.as_ref().map_or(running.runes.script().clone(), Address::script_pubkey);
        let (commitment, outputs) = wanted.stone(holder)?;
        let (commit, reveal) = running.commit_and_reveal(&[commitment], outputs).await?;
        check(&reveal)?;
        running.send(&commit).await?;
        self.mine_within(&running, u32::from(Runestone::COMMIT_CONFIRMATIONS)).await?;
        running.send(&reveal).await?;
        self.mine_within(&running, 1).await?;

        let chain = running.index.read().await?;
        let txid = reveal.compute_txid();
        let (height, link) = chain.block_of(&txid).context("the etching is in no block")?;
        let place = link.txids.iter().position(|id| *id == txid).context("etching")?;
        let block = u64::from(height);
        Ok(RuneId { block, tx: u32::try_from(place).context("etching")? })
    }

    /// Inscribes a file, and mines the block with it.
    ///
    /// # Errors
    /// The content type or body cannot be inscribed.
    pub async fn inscribe(
        &self,
        to: &Address,
        content_type: &str,
        body: &[u8],
    ) -> Result<Inscribed, WorldError> {
        let inscribed = self.inscribe_all(to, content_type, &[body.to_vec()]).await?;
        Ok(inscribed.first().copied().context("inscription")?)
    }

    /// Inscribes several files, each in its own output, and mines one block.
    ///
    /// # Errors
    /// As [`Self::inscribe`].
    pub async fn inscribe_all(
        &self,
        to: &Address,
        content_type: &str,
        bodies: &[Vec<u8>],
    ) -> Result<Vec<Inscribed>, WorldError> {
        if content_type.is_empty() || content_type.len() > LONGEST_CONTENT_TYPE {
            return Err(WorldError::wrong(format_args!(
                "contentType must be 1 to {LONGEST_CONTENT_TYPE} bytes long"
            )));
        }
        if bodies.iter().any(|body| body.len() > LONGEST_BODY) {
            return Err(WorldError::wrong(format_args!(
                "body must be at most {LONGEST_BODY} bytes long"
            )));
        }
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let mut inscribed = Vec::with_capacity(bodies.len());
        for body in bodies {
            let output = TxOut { value: POSTAGE, script_pubkey: to.script_pubkey() };
            let envelope = envelope(content_type, body);
            let (commit, reveal) = running.commit_and_reveal(&envelope, vec![output]).await?;
            running.send(&commit).await?;
            running.send(&reveal).await?;
            let txid = reveal.compute_txid();
            let id = InscriptionId { txid, index: 0 };
            inscribed.push(Inscribed { id, outpoint: OutPoint { txid, vout: 0 } });
        }
        self.mine_within(&running, 1).await?;
        Ok(inscribed)
    }
}

impl Etching {
    /// The commitment to the rune's name, and the outputs that etch it.
    pub(super) fn stone(&self, holder: ScriptBuf) -> Result<(Vec<u8>, Vec<TxOut>), WorldError> {
        let name = parse_name(&self.name)?;
        let stone = Runestone {
            etching: Some(ordinals::Etching {
                divisibility: Some(self.divisibility),
                premine: Some(self.supply),
                rune: Some(name.rune),
                spacers: Some(name.spacers),
                ..ordinals::Etching::default()
            }),
            pointer: Some(1),
            ..Runestone::default()
        };
        let outputs = vec![
            TxOut { value: Amount::ZERO, script_pubkey: stone.encipher() },
            TxOut { value: POSTAGE, script_pubkey: holder },
        ];
        Ok((name.rune.commitment(), outputs))
    }

    /// Parses the name if it can be etched in the blocks after `height`.
    fn etchable(&self, height: u32) -> Result<SpacedRune, WorldError> {
        let name: SpacedRune = parse_name(&self.name)?;
        let minimum = Rune::minimum_at_height(NETWORK, Height(height));
        if name.rune < minimum || name.rune.is_reserved() {
            return Err(WorldError::wrong("name must have 13 to 26 letters"));
        }
        if self.supply == 0 {
            return Err(WorldError::wrong("supply must be 1 or more"));
        }
        if self.divisibility > ordinals::Etching::MAX_DIVISIBILITY {
            return Err(WorldError::wrong(format_args!(
                "divisibility must be 0 to {}",
                ordinals::Etching::MAX_DIVISIBILITY
            )));
        }
        Ok(name)
    }
}

/// The parser of the crate `ordinals` shifts by the length of its input, so long names are refused first.
fn parse_name(text: &str) -> Result<SpacedRune, WorldError> {
    let letters = text.chars().filter(char::is_ascii_uppercase).count();
    let parsed = if (1..=28).contains(&letters) { text.parse().ok() } else { None };
    parsed.ok_or_else(|| {
        WorldError::wrong(
            "name must be 13 to 26 letters of A to Z, with • or . between some of them",
        )
    })
}

/// An envelope as ord reads it (<https://docs.ordinals.com/inscriptions.html>).
fn envelope(content_type: &str, body: &[u8]) -> Vec<Vec<u8>> {
    let mut pushes = vec![b"ord".to_vec(), vec![1], content_type.as_bytes().to_vec(), Vec::new()];
    pushes.extend(body.chunks(LONGEST_PUSH).map(<[u8]>::to_vec));
    pushes
}

pub(super) fn paying(to: &Address, sats: u64) -> Result<TxOut, WorldError> {
    let script_pubkey = to.script_pubkey();
    let least = script_pubkey.minimal_non_dust().to_sat();
    if !(least..=MOST_SATS).contains(&sats) {
        return Err(WorldError::wrong(format_args!("sats must be {least} to {MOST_SATS}")));
    }
    Ok(TxOut { value: Amount::from_sat(sats), script_pubkey })
}

/// Chooses coins with `amount` of a rune, and returns them with the remaining runes in them.
fn choose(
    coins: Vec<(Coin, Runes)>,
    name: &str,
    amount: u128,
) -> Result<(Vec<Coin>, Runes), WorldError> {
    let mut left = Runes::new();
    let mut chosen = Vec::new();
    for (coin, runes) in coins {
        let held = left.get(name).copied().unwrap_or_default();
        if held >= amount {
            break;
        }
        if runes.contains_key(name) {
            for (name, amount) in runes {
                let sum = left.entry(name).or_default();
                *sum = sum.checked_add(amount).context("more runes than there are")?;
            }
            chosen.push(coin);
        }
    }
    let held = left.get(name).copied().unwrap_or_default();
    let rest = held.checked_sub(amount).ok_or_else(|| {
        WorldError::wrong(format_args!(
            "the faucet has {held} of {name}: it receives runes that are etched without `to`"
        ))
    })?;
    left.insert(name.to_owned(), rest);
    left.retain(|_, amount| *amount > 0);
    Ok((chosen, left))
}

/// Refuses a cenotaph, which would burn the runes.
pub(super) fn check(transaction: &Transaction) -> Result<()> {
    match Runestone::decipher(transaction) {
        Some(Artifact::Runestone(_)) => Ok(()),
        _ => Err(Failure::new("a transaction of the faucet would burn its runes")),
    }
}

impl Running {
    fn pending(&self) -> std::sync::MutexGuard<'_, PendingRunes> {
        self.pending.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(super) fn pay(
        &self,
        chain: &Chain,
        given: &[(Coin, &Purse)],
        outputs: Vec<TxOut>,
    ) -> Result<Transaction, WorldError> {
        pay(&self.purse, chain.unspent(self.purse.script()), given, outputs)
    }

    pub(super) async fn send(&self, transaction: &Transaction) -> Result<(), WorldError> {
        let hex = serialize_hex(transaction);
        self.node.rpc().call::<Value>("sendrawtransaction", json!([hex])).await?;
        Ok(())
    }

    /// Sends a transaction that commits to an envelope, and the one that reveals it.
    async fn commit_and_reveal(
        &self,
        envelope: &[Vec<u8>],
        outputs: Vec<TxOut>,
    ) -> Result<(Transaction, Transaction), WorldError> {
        let leaf = self.purse.leaf(envelope)?;
        let commitment = self.purse.commitment(&leaf, outputs.clone())?;
        let chain = self.index.read().await?;
        let commit = self.pay(&chain, &[], vec![commitment.clone()])?;
        let outpoint = OutPoint { txid: commit.compute_txid(), vout: 0 };
        let reveal = self.purse.reveal(&leaf, outpoint, &commitment, outputs)?;
        Ok((commit, reveal))
    }

    /// The faucet's coins with runes, and the contents of each.
    pub(super) async fn rune_coins(&self, chain: &Chain) -> Result<Vec<(Coin, Runes)>, WorldError> {
        let ord = self.ord.read().await;
        let mut coins = chain.unspent(self.runes.script());
        coins.sort_by_key(|coin| (coin.height.is_none(), coin.outpoint));
        let mut known = Vec::with_capacity(coins.len());
        for coin in coins {
            let runes = match coin.height {
                Some(_) => ord.runes(coin.outpoint).await?,
                None => self.pending().get(&coin.outpoint).cloned(),
            };
            known.extend(runes.map(|runes| (coin, runes)));
        }
        Ok(known)
    }

    /// ord's entry of a rune, by its id or name.
    async fn rune(&self, which: &str) -> Result<Option<Value>> {
        let ord: &OrdServer = &*self.ord.read().await;
        ord.get(&format!("/rune/{which}")).await
    }

    async fn name_of(&self, rune: RuneId) -> Result<String, WorldError> {
        let answer = self.rune(&rune.to_string()).await?;
        let answer =
            answer.ok_or_else(|| WorldError::wrong(format_args!("there is no rune {rune}")))?;
        let name = answer.pointer("/entry/spaced_rune").and_then(Value::as_str);
        Ok(name.context("ord's rune has no name")?.to_owned())
    }
}

/// The script of an address.
///
/// # Errors
/// The text is not a regtest address.
pub(crate) fn parse_address(text: &str, field: &str) -> Result<Address, WorldError> {
    let wrong =
        |_| WorldError::wrong(format_args!("{field} must be a Bitcoin address of {NETWORK}"));
    let address: Address<bitcoin::address::NetworkUnchecked> = text.parse().map_err(wrong)?;
    address.require_network(NETWORK).map_err(wrong)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn etching(name: &str) -> Etching {
        Etching { name: name.to_owned(), supply: 1, divisibility: 0, to: None }
    }

    #[test]
    fn invalid_rune_names_are_refused() {
        for name in [
            "",
            "•",
            "AAAAAAAAAAAA",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "lowercaseletters",
            "AAAAAAAAAAAAAA•",
            "•AAAAAAAAAAAAAA",
            "AAAAAAA••AAAAAAA",
            "AAAAAAAAAAAAAA1",
            &"A".repeat(200),
        ] {
            assert!(etching(name).etchable(110).is_err(), "{name}");
        }
        let name = etching("RUNEPORT.LOCAL•RUNE").etchable(110).unwrap();
        assert_eq!(name.to_string(), "RUNEPORT•LOCAL•RUNE");
        assert!(Etching { supply: 0, ..etching("AAAAAAAAAAAAAA") }.etchable(110).is_err());
        assert!(Etching { divisibility: 39, ..etching("AAAAAAAAAAAAAA") }.etchable(110).is_err());
    }

    #[test]
    fn addresses_of_other_networks_are_refused() {
        assert!(parse_address("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "to").is_err());
        assert!(parse_address("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "to").is_ok());
        let error = parse_address("nonsense", "address").unwrap_err();
        assert_eq!(error.to_string(), "address must be a Bitcoin address of regtest");
    }
}
