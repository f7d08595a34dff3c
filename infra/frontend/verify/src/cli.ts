import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { messageOf, Problem } from '../../recovery/src/problem.js';
import { check, type Report } from './check.js';
import { Server } from './server.js';
import { type Claims, claimsAt, claimsOfRows, rowsAt, rowsIn, termsIn } from './service.js';
import { blockOf, rowOf } from './terms.js';
import { factsOf, verdictOf } from './words.js';

const HELP = `Recomputes a virtual mint from the Bitcoin chain, compares it with the payouts there, and names the first difference.

  runeport-verify MINT ESPLORA

MINT is the address of a mint, …/api/vm-transactions/mints/ID, or a file with what it answers. ESPLORA is any server with the
Esplora API, such as https://mempool.space/api.

  --bids FILE|URL    its batches, as …/api/vm-transactions?mintId_eq=ID lists them; needed if MINT is a file; may be repeated
  --claims FILE|URL  the virtual blocks of the service, as …/api/vm-transactions/mints/ID/blocks lists them, to compare them;
                     may be repeated
  --json             prints the result as JSON

Exits with 1 if there is a difference, and with 2 if the check could not be made.`;

const OPTIONS = {
  bids: { type: 'string', multiple: true },
  claims: { type: 'string', multiple: true },
  help: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type Places = readonly string[];

const isAddress = (place: string) => /^https?:/.test(place);

async function claimsOf(mint: string, { bids = [], claims = [] }: { bids?: Places; claims?: Places }, server: Server): Promise<Claims> {
  if (!isAddress(mint) && bids.length === 0) throw new Problem('MINT is a file, so add --bids with its batches.');
  const rows = async (places: Places, sort: string) => (await Promise.all(places.map(async (place) => (
    isAddress(place) ? rowsAt(place, sort, server) : rowsIn(await readFile(place, 'utf8'))
  )))).flat();
  const live = isAddress(mint) ? await claimsAt(mint, server) : undefined;
  const terms = live?.terms ?? termsIn(await readFile(mint, 'utf8'));
  const batches = async () => (await rows(bids, 'timestamp')).map(rowOf);
  const blocks = claims.length === 0 ? undefined : async () => (await rows(claims, 'height')).map(blockOf);
  return { ...(live ?? claimsOfRows(terms, batches)), ...(bids.length > 0 && { batches }), blocks };
}

function jsonOf({ difference, blocks, shares, fingerprint }: Report) {
  return {
    difference: difference === undefined ? null : { txid: difference.txid ?? null, block: difference.height ?? null, expected: difference.expected, found: difference.found },
    blocks,
    fills: Object.fromEntries(shares.map(({ batch }) => [batch.txid, batch.bids.map(({ taken }) => taken)])),
    fingerprint,
  };
}

async function run(): Promise<void> {
  const { positionals: [mint, esplora, ...more], values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (values.help === true || mint === undefined || esplora === undefined || more.length > 0) {
    console.log(HELP);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  const began = Date.now();
  const server = new Server((url, init) => fetch(url, init));
  const report = await check(await claimsOf(mint, values, server), esplora, server);
  if (report.difference !== undefined) process.exitCode = 1;
  if (values.json === true) {
    console.log(JSON.stringify(jsonOf(report)));
    return;
  }
  console.log([verdictOf(report), ...factsOf(report)].join('\n'));
  console.log(`${server.requests} requests, ${((Date.now() - began) / 1_000).toFixed(1)} seconds.`);
}

run().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 2;
});
