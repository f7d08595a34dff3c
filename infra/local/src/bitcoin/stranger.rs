//! Coins as strangers can send them: dust, arbitrary contents, transactions of any size.

use bitcoin::{Address, Amount, OutPoint, Transaction, TxOut, opcodes, script::ScriptBuf};
use bitcoin_model::chain::Coin;
use ordinals::{Edict, RuneId, Runestone};

use super::{
    error::WorldError,
    faucet::{Etching, check, paying},
    purse::POSTAGE,
    world::BitcoinWorld,
};
use crate::base::failure::{Context, Failure, Result};

/// Number of P2WSH outputs in a transaction that nodes still relay.
const MOST_OUTPUTS: usize = 2_000;
/// Value of each coin that is spent along with very many others, in satoshis.
const SMALL: u64 = 1_000;

/// A coin with many runes.
#[derive(Clone, Debug)]
pub struct Pile<'a> {
    /// Address of the recipient.
    pub to: &'a Address,
    /// Value in satoshis.
    pub sats: u64,
    /// The runes in it, each with its amount in smallest units.
    pub runes: Vec<(RuneId, u128)>,
}

impl BitcoinWorld {
    /// Pays an address `count` coins of `sats` satoshis each, and mines the blocks with them.
    ///
    /// # Errors
    /// As [`Self::fund`].
    pub async fn scatter(&self, to: &Address, sats: u64, count: usize) -> Result<(), WorldError> {
        let output = paying(to, sats)?;
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let mut left = count;
        while left > 0 {
            let some = left.min(MOST_OUTPUTS);
            let chain = running.index.read().await?;
            let transaction = running.pay(&chain, &[], vec![output.clone(); some])?;
            drop(chain);
            running.send(&transaction).await?;
            self.mine_within(&running, 1).await?;
            left = left.saturating_sub(some);
        }
        Ok(())
    }

    /// Sends a coin with `inscriptions` empty inscriptions of 7 bytes each, and mines the block with it.
    ///
    /// # Errors
    /// As [`Self::fund`].
    pub async fn inscribe_emptily(
        &self,
        to: &Address,
        sats: u64,
        inscriptions: usize,
    ) -> Result<OutPoint, WorldError> {
        let output = paying(to, sats)?;
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let mut script = ScriptBuf::builder();
        for _inscription in 0..inscriptions {
            script = script
                .push_opcode(opcodes::OP_FALSE)
                .push_opcode(opcodes::all::OP_IF)
                .push_slice(b"ord")
                .push_opcode(opcodes::all::OP_ENDIF);
        }
        let leaf = running.purse.leaf_of(&script.into_script())?;
        let commitment = running.purse.commitment(&leaf, vec![output.clone()])?;
        let chain = running.index.read().await?;
        let commit = running.pay(&chain, &[], vec![commitment.clone()])?;
        drop(chain);
        running.send(&commit).await?;
        // Together with its ancestors it reaches the size limit of relay, so it is mined alone.
        self.mine_within(&running, 1).await?;
        let outpoint = OutPoint { txid: commit.compute_txid(), vout: 0 };
        let reveal = running.purse.reveal(&leaf, outpoint, &commitment, vec![output])?;
        running.send(&reveal).await?;
        self.mine_within(&running, 1).await?;
        Ok(OutPoint { txid: reveal.compute_txid(), vout: 0 })
    }

    /// Pays an address `count` coins in one transaction with many inputs, and mines the block with it.
    ///
    /// # Errors
    /// As [`Self::fund`].
    pub async fn fund_from_many(
        &self,
        to: &Address,
        sats: u64,
        count: usize,
        inputs: usize,
    ) -> Result<Transaction, WorldError> {
        let output = paying(to, sats)?;
        let own = self.running()?.purse.address().clone();
        self.scatter(&own, SMALL, inputs).await?;
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let chain = running.index.read().await?;
        let small = chain.unspent(running.purse.script()).into_iter();
        let small = small.filter(|coin| coin.output.value == Amount::from_sat(SMALL));
        let given: Vec<_> = small.map(|coin| (coin, &running.purse)).collect();
        let transaction = running.pay(&chain, &given, vec![output; count])?;
        drop(chain);
        running.send(&transaction).await?;
        self.mine_within(&running, 1).await?;
        Ok(transaction)
    }

    /// Etches many runes in one block, 1,000,000 units of each, all for the faucet.
    ///
    /// # Errors
    /// As [`Self::etch`].
    pub async fn etch_many(&self, count: usize) -> Result<Vec<RuneId>, WorldError> {
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let mut etchings = Vec::with_capacity(count);
        for number in 0..count {
            let etching =
                Etching { name: name(number)?, supply: 1_000_000, divisibility: 0, to: None };
            let (commitment, outputs) = etching.stone(running.runes.script().clone())?;
            let leaf = running.purse.leaf(&[commitment])?;
            let commitment = running.purse.commitment(&leaf, outputs.clone())?;
            etchings.push((leaf, commitment, outputs));
        }
        let commitments = etchings.iter().map(|(_, commitment, _)| commitment.clone()).collect();
        let chain = running.index.read().await?;
        let commit = running.pay(&chain, &[], commitments)?;
        drop(chain);
        running.send(&commit).await?;
        self.mine_within(&running, u32::from(Runestone::COMMIT_CONFIRMATIONS)).await?;
        let mut reveals = Vec::with_capacity(count);
        for ((leaf, commitment, outputs), vout) in etchings.into_iter().zip(0..) {
            let outpoint = OutPoint { txid: commit.compute_txid(), vout };
            let reveal = running.purse.reveal(&leaf, outpoint, &commitment, outputs)?;
            check(&reveal)?;
            running.send(&reveal).await?;
            reveals.push(reveal.compute_txid());
        }
        self.mine_within(&running, 1).await?;
        let chain = running.index.read().await?;
        let mut runes = Vec::with_capacity(count);
        for txid in reveals {
            let (height, link) = chain.block_of(&txid).context("the etching is in no block")?;
            let place = link.txids.iter().position(|id| *id == txid).context("etching")?;
            let tx = u32::try_from(place).context("etching")?;
            runes.push(RuneId { block: u64::from(height), tx });
        }
        Ok(runes)
    }

    /// Pays coins with very many runes in one transaction, and mines the block with it. The faucet must hold
    /// all of these runes in confirmed outputs.
    ///
    /// # Errors
    /// As [`Self::fund_rune`].
    pub async fn fund_piles(&self, piles: &[Pile<'_>]) -> Result<Vec<OutPoint>, WorldError> {
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let change = TxOut { value: POSTAGE, script_pubkey: running.runes.script().clone() };
        let mut outputs = vec![TxOut::NULL, change];
        let mut edicts = Vec::new();
        for (pile, output) in piles.iter().zip(2_u32..) {
            outputs.push(paying(pile.to, pile.sats)?);
            let edict = |(id, amount): &(RuneId, u128)| Edict { id: *id, amount: *amount, output };
            edicts.extend(pile.runes.iter().map(edict));
        }
        let stone = Runestone { edicts, pointer: Some(1), ..Runestone::default() };
        if let Some(first) = outputs.first_mut() {
            *first = TxOut { value: Amount::ZERO, script_pubkey: stone.encipher() };
        }
        let chain = running.index.read().await?;
        let coins: Vec<Coin> =
            running.rune_coins(&chain).await?.into_iter().map(|(coin, _)| coin).collect();
        let given: Vec<_> = coins.into_iter().map(|coin| (coin, &running.runes)).collect();
        let transaction = running.pay(&chain, &given, outputs)?;
        drop(chain);
        check(&transaction)?;
        running.send(&transaction).await?;
        self.mine_within(&running, 1).await?;
        let txid = transaction.compute_txid();
        Ok(piles.iter().zip(2..).map(|(_, vout)| OutPoint { txid, vout }).collect())
    }
}

/// A distinct name for each number.
fn name(number: usize) -> Result<String> {
    const LETTERS: usize = 26;
    let mut name = "JUNKJUNKJUNK".to_owned();
    for digit in [number / (LETTERS * LETTERS), number / LETTERS, number] {
        let letter = u8::try_from(digit % LETTERS).context("a name")?;
        name.push(char::from(b'A'.checked_add(letter).context("a name")?));
    }
    if number >= LETTERS * LETTERS * LETTERS {
        return Err(Failure::new("too many names"));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_of_numbers_are_distinct() {
        let names: BTreeSet<_> = (0..2_000).filter_map(|number| name(number).ok()).collect();
        assert_eq!(names.len(), 2_000);
    }
}
