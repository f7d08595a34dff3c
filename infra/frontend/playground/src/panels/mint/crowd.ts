import { type Api, call, createApi, RuneportError, signInWithWallet } from '@runeport/client';
import { checkMintRequest, createMintRequest, submitMintRequest } from '@runeport/client/bitcoin';
import { bitcoinKeyWallet, type BitcoinWallet } from '@runeport/client/wallets/bitcoin';

import { recordedFetch } from '../../stores/calls.ts';
import { BASE, levers } from '../../stores/local.ts';
import { lookAtBids, mineBlocks, nextBlock } from './chain.ts';
import type { Batch, Mint } from './model.ts';

/** Another user, with their own session. */
interface Bidder {
  api: Api;
  wallet: BitcoinWallet;
  tradingAddress: string;
}

const BIDDERS = 4;
const COINS = 3;

let bidders: Promise<Bidder[]> | undefined;

async function newBidder(): Promise<Bidder> {
  const wallet = bitcoinKeyWallet({ privateKey: crypto.getRandomValues(new Uint8Array(32)), network: 'regtest' });
  // The inspector shows the bidders' calls too.
  const own = createApi({ baseUrl: BASE, fetch: recordedFetch });
  const { tradingAddress } = await signInWithWallet(own, wallet);
  if (tradingAddress === null) throw new Error('The service created no trading wallet for a bidder.');
  return { api: own, wallet, tradingAddress };
}

async function newBidders(most: number): Promise<Bidder[]> {
  const all: Bidder[] = [];
  for (let index = 0; index < BIDDERS; index += 1) {
    const bidder = await newBidder();
    for (let coin = 0; coin < COINS; coin += 1) await levers.fund(bidder.tradingAddress, most);
    all.push(bidder);
  }
  await mineBlocks(1);
  return all;
}

const upTo = (most: number): number => Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32 * most);

/** The batch that a new one of this address would replace and pay for again. */
export function replaces(batches: readonly Batch[], mint: Mint, tradingAddress: string): Batch | undefined {
  return batches.find((batch) =>
    batch.mintId === mint.id && batch.tradingAddress === tradingAddress
    && (batch.state === 'allInMempool' || batch.state === 'broadcasting') && batch.paidSats === 0);
}

/** Newest batches of an address: more than it has at the same time. */
const NEWEST = 20;

/** The newest batches of a trading address, which are public. */
export async function batchesOf(from: Api, tradingAddress: string, pageSize = NEWEST): Promise<Batch[]> {
  const query = { tradingAddress_eq: tradingAddress, sort: '-timestamp', pageSize };
  return (await call(from, 'get', '/api/vm-transactions', { params: { query } })).data;
}

/** Lets other users bid, each for a few requests at a random price. Returns the number of requests. */
export async function letOthersBid(mint: Mint): Promise<number> {
  const { byPrice } = await nextBlock(mint);
  const base = Math.max(mint.minSatsPerRequest, ...byPrice.map(({ price }) => Math.floor(price * 0.7)));
  const most = Math.max(60_000, base * 24);
  let asked = 0;
  for (let round = 0; round < 2 && asked === 0; round += 1) {
    bidders ??= newBidders(most);
    let known: Bidder[];
    try {
      known = await bidders;
    } catch (error) {
      bidders = undefined;
      throw error;
    }
    for (const bidder of known) {
      // This bidder already has a batch that waits for a block.
      if (replaces(await batchesOf(bidder.api, bidder.tradingAddress), mint, bidder.tradingAddress)) continue;
      const requestCount = 2 + upTo(4);
      const price = mint.minSatsPerRequest + Math.round(upTo(base * 1.6) / 100) * 100;
      const request = { userAddress: bidder.wallet.address, runeId: mint.runeId, requestCount, satsNewRequests: requestCount * price };
      try {
        const made = await createMintRequest(bidder.api, request);
        const terms = { treasuryAddress: mint.treasuryAddress, satsPreviousRequests: 0 };
        checkMintRequest(made, request, terms, bidder.wallet, { tradingAddress: bidder.tradingAddress });
        const signed = await bidder.wallet.signPsbt(made.base64Psbt, made.userInputIndexes);
        await submitMintRequest(bidder.api, request.userAddress, signed);
        asked += requestCount;
      } catch (error) {
        if (!(error instanceof RuneportError) || !error.key.startsWith('bitcoin.insufficient')) throw error;
      }
    }
    // All bidders have spent their coins, so create new ones.
    if (asked === 0) bidders = undefined;
  }
  await lookAtBids();
  return asked;
}
