// A chain with one mint that has paid out everything, an Esplora server over it, and what the service says of the mint.

import { hex } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer/payment.js';
import { RawOldTx } from '@scure/btc-signer/script.js';
import { sha256, sha256x2 } from '@scure/btc-signer/utils.js';

const bytes = (text) => sha256(new TextEncoder().encode(text));
const placeOf = (type, hash) => ({ script: OutScript.encode({ type, hash }), address: Address().encode({ type, hash }) });
const keyOf = (name) => `02${hex.encode(bytes(name))}`;
const PLATFORM = keyOf('platform');

/** An address of a single key. */
export const walletOf = (name) => placeOf('wpkh', bytes(name).slice(0, 20));

/** A trading wallet whose coins a service and its user sign together. */
export function tradingOf(name, platform = PLATFORM) {
  const script = `21${keyOf(name)}ad21${platform}ac736402a032b268`;
  return { ...placeOf('wsh', sha256(hex.decode(script))), witness: (signature = '30') => [signature, '30', script] };
}

/** The message of a transaction that moves runes: edicts of `[amount, output]`. */
export function message(edicts, pointer, [block, index] = [840_000, 3]) {
  const numbers = [22, pointer, 0, ...edicts.flatMap(([amount, output], place) => [place === 0 ? block : 0, place === 0 ? index : 0, amount, output])];
  const data = numbers.flatMap((number) => {
    const parts = [];
    for (let left = BigInt(number); ; left >>= 7n) {
      if (left < 128n) return [...parts, Number(left)];
      parts.push(Number(left & 127n) | 128);
    }
  });
  return { sats: 0, script: Uint8Array.of(0x6a, 0x5d, data.length, ...data) };
}

export class World {
  blocks = new Map();
  /** Where each output is. */
  outputs = new Map();

  /** Adds a transaction to a block; returns it in Esplora's format. `spends` are outputs, `<txid>:<vout>`, or wallets. */
  add(height, spends, outputs) {
    const inputs = spends.map((from, place) => {
      const coin = typeof from === 'string' ? from : `${hex.encode(bytes(`${height} ${place} ${[...this.outputs].length}`))}:0`;
      const [txid, vout] = coin.split(':');
      const { script, witness } = typeof from === 'string' ? this.outputs.get(from) : from;
      return { txid, vout: Number(vout), prevout: { scriptpubkey: hex.encode(script) }, scriptsig: '', sequence: 0xfffffffd, witness: witness?.() ?? ['30', keyOf('any')] };
    });
    const listed = {
      version: 2, locktime: 0, vin: inputs,
      vout: outputs.map(({ sats, script }) => ({ value: sats, scriptpubkey: hex.encode(script) })),
      status: { confirmed: true, block_height: height, block_hash: `hash${height}`, block_time: 1_700_000_000 + height },
    };
    const txid = idOf(listed);
    outputs.forEach((output, vout) => this.outputs.set(`${txid}:${vout}`, output));
    const own = { txid, ...listed };
    this.blocks.set(height, [...(this.blocks.get(height) ?? [{ txid: `coinbase${height}`, vin: [], vout: [] }]), own]);
    return own;
  }

  /** Answers as Esplora and the service do. */
  fetch = async (address) => {
    const answer = this.#answer(new URL(address));
    return answer === undefined ? new Response('', { status: 404 }) : Response.json(answer);
  };

  #answer({ pathname, searchParams }) {
    const [, kind, one, what, which, last] = pathname.split('/');
    if (pathname === '/blocks/tip/height') return Math.max(...this.blocks.keys()) + 6;
    if (kind === 'blocks') return [{ height: Number(one), timestamp: 1_700_000_000 + Number(one) }];
    if (kind === 'block') return this.blocks.get(Number(one.slice(4)))?.map(({ txid }) => txid);
    if (kind === 'address' && what === 'txs' && which === 'chain') {
      const script = hex.encode(OutScript.encode(Address().decode(one)));
      const all = [...this.blocks].sort(([a], [b]) => b - a).flatMap(([, block]) => [...block].reverse());
      const about = all.filter(({ vin, vout }) => [...vin.map(({ prevout }) => prevout), ...vout].some(({ scriptpubkey }) => scriptpubkey === script));
      const begin = last === undefined ? 0 : about.findIndex(({ txid }) => txid === last) + 1;
      return about.slice(begin, begin + 2);
    }
    if (pathname === '/api/vm-transactions/mints/m1') return { data: this.terms };
    if (pathname === '/api/vm-transactions/mints/m1/blocks') return page(this.claimed, searchParams);
    if (pathname === '/api/vm-transactions') return page(this.rows.filter(({ mintId }) => mintId === searchParams.get('mintId_eq')), searchParams);
    const row = this.rows.find(({ txId }) => pathname === `/api/vm-transactions/${txId}`);
    return row && { data: row };
  }
}

/** Two rows a page. */
function page(rows, searchParams) {
  const number = Number(searchParams.get('page'));
  return { data: rows.slice(2 * number - 2, 2 * number), metaData: { currentPage: number, totalPages: Math.max(1, Math.ceil(rows.length / 2)) } };
}

/** The id of a transaction in Esplora's format. */
export function idOf({ version, vin, vout, locktime }) {
  const raw = RawOldTx.encode({
    version, lockTime: locktime,
    inputs: vin.map((input) => ({ txid: hex.decode(input.txid), index: input.vout, finalScriptSig: hex.decode(input.scriptsig), sequence: input.sequence })),
    outputs: vout.map(({ value, scriptpubkey }) => ({ amount: BigInt(value), script: hex.decode(scriptpubkey) })),
  });
  return hex.encode(sha256x2(raw).reverse());
}

export const row = (txId, tradingAddress, [requests, price], differs = {}) => ({
  txId, mintId: 'm1', replaceTxId: null, tradingAddress, satsPerNewRequest: price, satsNewRequests: requests * price,
  replacedRequestsCount: 0, satsPreviousRequests: 0, requestsInBlocksCount: 0, paidSats: requests * price, ...differs,
});

/** Takes a transaction out of its block. */
export function remove(world, { txid }) {
  for (const [height, block] of world.blocks) world.blocks.set(height, block.filter((one) => one.txid !== txid));
}

/**
 * A mint of ten requests, five a block. Ann bids for four at 2,000 sats; Ben replaces three at 1,500 by these and four at 3,000;
 * Cyd bids for two at 1,000 and gets everything back. One of Ben's is left, too.
 */
export function paidOut() {
  const world = new World();
  const [treasury, pool, proceeds] = ['treasury', 'pool', 'proceeds'].map(walletOf);
  const [ann, ben, cyd] = ['ann', 'ben', 'cyd'].map((name) => tradingOf(name));
  const to = (place, sats) => ({ ...place, sats });
  const a = world.add(100, [ann], [to(treasury, 8_000), to(ann, 700)]);
  const b = world.add(100, [ben, ben], [to(treasury, 16_500)]);
  const c = world.add(101, [cyd], [to(ann, 900), to(treasury, 2_000)]);
  // A stranger, somebody who signs alone, and a batch of another mint.
  world.add(101, [walletOf('stranger')], [to(treasury, 7_000)]);
  world.add(101, [{ ...tradingOf('late'), witness: () => tradingOf('late').witness('') }], [to(treasury, 7_000)]);
  const other = world.add(101, [tradingOf('other')], [to(treasury, 7_000)]);
  // Ben's 4 at 3,000 and one of Ann's; three of Ann's and two of Ben's at 1,500: one of these is left.
  const rest = 1_500;
  const transfer = world.add(108, [`${b.txid}:0`, pool, `${a.txid}:0`], [to(proceeds, 8_000 + 15_000), to(treasury, rest), to(pool, 500)]);
  const distribution = world.add(108, [pool], [message([[60n, 2], [40n, 4]], 3), to(pool, 546), to(ben, 546), to(pool, 800), to(ann, 546)]);
  const refundOfBen = world.add(109, [`${transfer.txid}:1`, ben], [to(ben, 1_200), to(ben, 5_000)]);
  const refundOfCyd = world.add(109, [`${c.txid}:1`], [to(cyd, 1_800)]);
  world.terms = {
    id: 'm1', runeId: '840000:3', runeName: 'SOME•RUNE', state: 'distributed', treasuryAddress: treasury.address, poolAddress: pool.address,
    proceedsAddress: proceeds.address, tokensPerRequest: '10', totalRequests: 10, requestsPerBlock: 5, minSatsPerRequest: 1_000,
    createdAt: 1_700_000_000_000, closesAt: 1_800_000_000_000,
  };
  const gone = 'aa'.repeat(32);
  world.rows = [
    row(a.txid, ann.address, [4, 2_000], { requestsInBlocksCount: 4 }),
    row(gone, ben.address, [3, 1_500], { paidSats: 0 }),
    row(b.txid, ben.address, [4, 3_000], { replaceTxId: gone, replacedRequestsCount: 3, satsPreviousRequests: 4_500, requestsInBlocksCount: 6, paidSats: 16_500 }),
    row(c.txid, cyd.address, [2, 1_000]),
    row(other.txid, tradingOf('other').address, [7, 1_000], { mintId: 'm2' }),
  ];
  world.claimed = [
    { height: 100, requests: 5, batches: 2, lowestPrice: 2_000, averagePrice: 2_800, highestPrice: 3_000 },
    { height: 101, requests: 5, batches: 2, lowestPrice: 1_500, averagePrice: 1_800, highestPrice: 2_000 },
  ];
  return { world, a, b, c, other, transfer, distribution, refundOfBen, refundOfCyd, wallets: { treasury, pool, proceeds, ann, ben, cyd } };
}
