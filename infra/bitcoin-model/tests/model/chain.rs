//! The chain of one server.

use bitcoin::{
    Amount, Block, BlockHash, CompactTarget, Network, OutPoint, ScriptBuf, Sequence, Transaction,
    TxIn, TxMerkleNode, TxOut, Txid, Witness, absolute::LockTime, block, constants::genesis_block,
    hashes::Hash, merkle_tree, transaction::Version,
};
use bitcoin_model::chain::{Chain, Link};

fn script(number: u8) -> ScriptBuf {
    ScriptBuf::from_bytes(vec![number])
}

fn transaction(spends: &[OutPoint], to: u8) -> Transaction {
    let input = |previous_output: &OutPoint| TxIn {
        previous_output: *previous_output,
        script_sig: ScriptBuf::new(),
        sequence: Sequence::MAX,
        witness: Witness::new(),
    };
    let output = TxOut { value: Amount::from_sat(1_000), script_pubkey: script(to) };
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: spends.iter().map(input).collect(),
        output: vec![output],
    }
}

fn block_on(chain: &Chain, nonce: u32, txdata: Vec<Transaction>) -> Block {
    let header = block::Header {
        version: block::Version::ONE,
        prev_blockhash: chain.tip().unwrap().1.hash,
        merkle_root: TxMerkleNode::all_zeros(),
        time: nonce,
        bits: CompactTarget::default(),
        nonce,
    };
    Block { header, txdata }
}

fn first(transaction: &Transaction) -> OutPoint {
    OutPoint::new(transaction.compute_txid(), 0)
}

fn outpoint(number: u8) -> OutPoint {
    OutPoint::new(Txid::from_byte_array([number; 32]), 0)
}

#[test]
fn an_output_spent_in_the_mempool_is_hidden_until_the_spender_is_gone() {
    let mut chain = Chain::default();
    chain.push(genesis_block(Network::Regtest));
    let one = transaction(&[outpoint(9)], 1);
    chain.push(block_on(&chain, 1, vec![one.clone()]));
    assert_eq!(chain.unspent(&script(1))[0].height, Some(1));

    let two = transaction(&[first(&one)], 2);
    assert_eq!(chain.keep_waiting(&[two.compute_txid()]), [two.compute_txid()]);
    chain.add_waiting(two.clone());
    assert!(chain.unspent(&script(1)).is_empty());
    assert_eq!(chain.unspent(&script(2))[0].height, None);
    assert_eq!(chain.spender(&first(&one)), Some((two.compute_txid(), 0)));

    assert!(chain.keep_waiting(&[]).is_empty());
    assert_eq!(chain.unspent(&script(1)).len(), 1);
    assert!(chain.unspent(&script(2)).is_empty());
}

#[test]
fn a_replaced_block_takes_its_transactions_with_it() {
    let mut chain = Chain::default();
    chain.push(genesis_block(Network::Regtest));
    let one = transaction(&[outpoint(9)], 1);
    chain.push(block_on(&chain, 1, vec![one.clone()]));
    let (old, new) = (transaction(&[first(&one)], 2), transaction(&[first(&one)], 3));
    chain.push(block_on(&chain, 2, vec![old.clone()]));
    let gone = chain.tip().unwrap().1.hash;

    chain.pop();
    assert!(!chain.has(&gone) && chain.transaction(&old.compute_txid()).is_none());
    assert_eq!(chain.unspent(&script(1)).len(), 1);
    // Its transactions are in the mempool again; a block with a rival arrives before the mempool is read.
    chain.add_waiting(old.clone());
    chain.push(block_on(&chain, 3, vec![new.clone()]));
    assert!(chain.keep_waiting(&[]).is_empty());
    assert_eq!(chain.spender(&first(&one)), Some((new.compute_txid(), 0)));
    assert_eq!(chain.block_of(&new.compute_txid()).unwrap().0, 2);
    assert!(chain.unspent(&script(2)).is_empty());
}

#[test]
fn a_merkle_branch_leads_from_each_transaction_to_the_root() {
    for count in 1..=33 {
        let txids: Vec<_> = (0..count).map(|n| outpoint(n).txid).collect();
        let nodes = txids.iter().map(|txid| TxMerkleNode::from(txid.to_raw_hash()));
        let root = merkle_tree::calculate_root(nodes.clone()).unwrap();
        let previous = BlockHash::all_zeros();
        let link = Link { hash: previous, time: 0, previous, txids: txids.clone() };
        for (place, (txid, node)) in txids.iter().zip(nodes).enumerate() {
            let (told, branch) = link.merkle_branch(txid).unwrap();
            assert_eq!(told, place);
            let folded = branch.iter().enumerate().fold(node, |node, (level, sibling)| {
                let is_right = (place >> level) & 1 == 1;
                let pair = if is_right { [*sibling, node] } else { [node, *sibling] };
                merkle_tree::calculate_root(pair.into_iter()).unwrap()
            });
            assert_eq!(folded, root, "{place} of {count}");
        }
        assert_eq!(link.merkle_branch(&outpoint(99).txid), None);
    }
}

#[test]
fn lagging_and_forked_servers_know_the_same_transactions() {
    let mut chain = Chain::default();
    chain.push(genesis_block(Network::Regtest));
    let mut paid = transaction(&[outpoint(9)], 1);
    for nonce in 1..=3 {
        paid = transaction(&[first(&paid)], 1);
        chain.push(block_on(&chain, nonce, vec![paid.clone()]));
    }
    let waiting = transaction(&[first(&paid)], 2);
    chain.add_waiting(waiting.clone());
    let (paid, waiting) = (paid.compute_txid(), waiting.compute_txid());

    let behind = chain.clone().behind(2);
    assert_eq!(behind.tip().unwrap(), (1, chain.link(1).unwrap()));
    assert!(behind.block_of(&paid).is_none() && behind.transaction(&paid).is_some());
    assert_eq!(behind.waiting().len(), 3);

    let fork = chain.clone().forked(2);
    let (height, link) = fork.block_of(&paid).unwrap();
    assert_eq!((height, link.previous), (2, chain.link(1).unwrap().hash));
    assert_ne!(link.hash, chain.link(2).unwrap().hash);
    let (height, tip) = fork.tip().unwrap();
    assert_eq!((height, tip.previous), (3, link.hash));
    assert!(fork.block_of(&waiting).is_none() && fork.waiting().len() == 1);
    assert_eq!(chain.clone().forked(0).tip(), chain.tip());
}

#[test]
fn a_coinbase_output_matures_after_a_hundred_blocks() {
    let mut chain = Chain::default();
    chain.push(genesis_block(Network::Regtest));
    let coinbase = transaction(&[OutPoint::null()], 1);
    chain.push(block_on(&chain, 1, vec![coinbase]));
    for nonce in 2..100 {
        chain.push(block_on(&chain, nonce, Vec::new()));
    }
    assert!(!chain.unspent(&script(1))[0].is_mature);
    chain.push(block_on(&chain, 100, Vec::new()));
    assert!(chain.unspent(&script(1))[0].is_mature);
}
