import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';

import {
  type Coin, coinsIn, contentsOf, Esplora, feesOf, freedomOf, grouped, idOf, messageOf, ownAddress, plan, Problem, psbtOf, rateOf, readContents, readKey,
  readKit, reasonOf, sign, type Signed, summaryOf, takeSignatures, unlistedOf, withContents, workOf,
} from './index.js';
import type { TradingWallet } from './kit.js';
import { serversOf } from './network.js';

const HELP = `Spends the coins of a Runeport trading wallet with its owner's key alone. Needs nothing of Runeport.

  runeport-recovery KIT                             lists the coins, and when each is free
  runeport-recovery KIT --to ADDRESS                asks for the key, and prints the signed transactions
  runeport-recovery KIT --to ADDRESS --send         … and sends them
  runeport-recovery KIT --to ADDRESS --psbt         prints PSBTs for an external wallet to sign, one a line
  runeport-recovery KIT --to ADDRESS --signed FILE  takes the signatures from signed PSBTs, one a line

KIT is the recovery file, or a file with the descriptor.

  --esplora URL         any server with the Esplora API
  --ord URL             a server with the ord API: asks what coins carry that are not in the recovery file
  --fee-rate RATE       sats per virtual byte; default: the server's estimate
  --plain TXID:VOUT     a coin that is certain to carry nothing, so that it can pay fees; may be repeated
  --without TXID:VOUT   a coin to leave where it is; may be repeated
  --fee-coin TXID:VOUT  a plain payment to the ordinary SegWit address of your key, which may pay fees; may be repeated
  --transactions FILE   instead of a server: transactions in hex, one a line, each with a space and the height of its block
  --tip HEIGHT          instead of a server: the height of the newest block. Without --transactions, the coins are
                        those of the recovery file
  --key-path PATH       where the key is under a seed phrase, such as m/84'/0'/0'/0/0
  --passphrase          asks for the seed phrase's passphrase too

The key is read from the terminal, or from the first line of standard input (the passphrase from the second). It is a
private key (WIF or hex) or a seed phrase.`;

const OPTIONS = {
  'esplora': { type: 'string' },
  'fee-coin': { type: 'string', multiple: true },
  'fee-rate': { type: 'string' },
  'help': { type: 'boolean' },
  'key-path': { type: 'string' },
  'ord': { type: 'string' },
  'passphrase': { type: 'boolean' },
  'plain': { type: 'string', multiple: true },
  'psbt': { type: 'boolean' },
  'send': { type: 'boolean' },
  'signed': { type: 'string' },
  'tip': { type: 'string' },
  'to': { type: 'string' },
  'transactions': { type: 'string' },
  'without': { type: 'string', multiple: true },
} as const;

type Values = ReturnType<typeof parseArgs<typeof OPTIONS>>['values'];

const NOTHING = { runes: [], inscriptions: [] };
const fetcher = (url: string, init?: RequestInit) => fetch(url, init);
/** Results go to standard output, and what is only for people to standard error. */
const tell = (text: string) => process.stderr.write(`${text}\n`);

try {
  const { positionals: [file, ...more], values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (values.help || file === undefined || more.length > 0) console.log(HELP);
  else await run(file, values);
} catch (error) {
  tell(messageOf(error));
  process.exitCode = 1;
}

async function run(file: string, values: Values): Promise<void> {
  const kit = readKit(await readFile(file, 'utf8'));
  const { wallet } = kit;
  const esplora = new Esplora(values.esplora ?? serversOf(wallet.network)[0] ?? '', fetcher);
  const tip = values.tip === undefined ? await esplora.tip() : heightOf(values.tip);
  const coins = await contents(await found(kit.coins ?? [], wallet, esplora, values), values);
  const without = leftOut(coins, values.without ?? []);
  if (values.to === undefined) {
    list(coins, wallet, tip);
    return;
  }
  const rate = values['fee-rate'] ?? await estimate(esplora, values);
  const key = values.psbt || values.signed !== undefined ? undefined : await ask(wallet, values);
  const [only, other] = wallet.user;
  const signer = key?.publicKey ?? (other === undefined ? only : undefined);
  const feeCoins = await payments(signer, wallet, esplora, values['fee-coin'] ?? []);
  const { transactions, waiting } = plan({ wallet, coins, tip, destination: values.to, rate: rateOf(rate), signer, feeCoins, without });
  for (const { coin, reason } of waiting) tell(`Stays: ${idOf(coin)}, ${grouped(coin.sats)} sats, ${contentsOf(coin)}. ${reasonOf(reason)}`);
  if (transactions.length === 0) throw new Problem('No coin can move now.');
  if (values.psbt) {
    for (const planned of transactions) {
      tell(workOf(planned));
      console.log(psbtOf(planned));
    }
    return;
  }
  const signed = new Map<string, Signed>();
  if (key !== undefined) {
    for (const planned of transactions) signed.set(planned.txid, sign(planned, wallet, key.privateKey));
  } else if (values.signed !== undefined) {
    for (const line of linesOf(await readFile(values.signed, 'utf8'))) {
      const one = takeSignatures(line, transactions, wallet);
      signed.set(one.txid, one);
    }
  }
  tell(feesOf(transactions));
  for (const [place, planned] of transactions.entries()) {
    const one = signed.get(planned.txid);
    if (one === undefined) throw new Problem(`The signed PSBT of transaction ${place + 1} is missing. The transactions after it may need it.`);
    tell(`${place + 1} of ${transactions.length}, ${planned.txid}: ${workOf(planned)}`);
    if (!values.send) console.log(one.hex);
    else if (!(await esplora.deliver(one))) {
      throw new Problem(`${unlistedOf(esplora.host, place, transactions.length)} Use another server. It does no harm to send a transaction twice.`);
    }
  }
  tell(values.send ? `Sent. The network has everything, says ${esplora.host}, and everything goes to ${values.to}.` : 'Nothing is sent yet. Add --send, or send these transactions in this order in another way.');
}

async function estimate(esplora: Esplora, { tip }: Values): Promise<string> {
  const estimate = tip === undefined ? await esplora.estimate().catch(() => undefined) : undefined;
  if (estimate === undefined) throw new Problem('Add --fee-rate, in sats per virtual byte, such as --fee-rate 5.');
  if ('tooHigh' in estimate) {
    throw new Problem(`The server's estimate is ${estimate.tooHigh} sats per virtual byte, which is very high. If another source says so too, add --fee-rate.`);
  }
  return String(estimate.rate);
}

async function found(known: readonly Coin[], wallet: TradingWallet, esplora: Esplora, values: Values): Promise<readonly Coin[]> {
  if (values.transactions !== undefined) {
    if (values.tip === undefined) throw new Problem('Add --tip, the height of the newest block.');
    return withContents(coinsIn(await readFile(values.transactions, 'utf8'), wallet.script), known);
  }
  // If only a height is given, the program works without a server.
  if (values.tip !== undefined) return known;
  const { coins, complete } = await esplora.coins(wallet.address, known);
  if (!complete) tell('The address has too many coins for this server, so these are only those in the recovery file.');
  return withContents(coins, known);
}

async function contents(coins: readonly Coin[], { ord, plain = [] }: Values): Promise<readonly Coin[]> {
  const read = ord === undefined ? coins : await readContents(ord, coins, fetcher);
  return read.map((coin) => (coin.contents === undefined && plain.includes(idOf(coin)) ? { ...coin, contents: NOTHING } : coin));
}

/** A mistyped coin would move although its owner wants it to stay. */
function leftOut(coins: readonly Coin[], wanted: readonly string[]): ReadonlySet<string> {
  const known = new Set(coins.map(idOf));
  const unknown = wanted.find((id) => !known.has(id));
  if (unknown !== undefined) throw new Problem(`--without names ${unknown}, which is not a coin of this trading wallet. Nothing was done.`);
  return new Set(wanted);
}

async function payments(signer: string | undefined, wallet: TradingWallet, esplora: Esplora, wanted: readonly string[]): Promise<readonly Coin[]> {
  if (wanted.length === 0) return [];
  if (signer === undefined) throw new Problem('The recovery file has two keys, so --fee-coin needs your key here.');
  const address = ownAddress(signer, wallet);
  const { coins } = await esplora.coins(address);
  return wanted.map((id) => {
    const coin = coins.find((one) => idOf(one) === id);
    if (coin === undefined) throw new Problem(`${id} is not an unspent payment to ${address}.`);
    return { ...coin, contents: NOTHING };
  });
}

function list(coins: readonly Coin[], wallet: TradingWallet, tip: number): void {
  console.log(`${wallet.address} at block ${grouped(tip)}`);
  console.log(summaryOf(coins, tip));
  for (const coin of coins) console.log(`${idOf(coin)}  ${grouped(coin.sats)} sats  ${contentsOf(coin)}  ${freedomOf(coin, tip)}`);
}

async function ask(wallet: TradingWallet, values: Values) {
  const passphrase = values.passphrase === true;
  const [key = '', second = ''] = process.stdin.isTTY ? await typed(passphrase) : await piped();
  return readKey(key, wallet, passphrase ? second : '', values['key-path']);
}

async function piped(): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of process.stdin) text += decoder.decode(chunk, { stream: true });
  return text.split('\n').map((line) => line.replace(/\r$/, ''));
}

/** Reads from the terminal without showing what is typed. */
async function typed(passphrase: boolean): Promise<string[]> {
  const output = new Writable({ write: (_chunk, _encoding, done) => { done(); } });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    process.stderr.write('Private key or seed phrase (not shown): ');
    const lines = [await terminal.question('')];
    if (passphrase) {
      process.stderr.write('\nPassphrase (not shown): ');
      lines.push(await terminal.question(''));
    }
    process.stderr.write('\n');
    return lines;
  } finally {
    terminal.close();
  }
}

function heightOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Problem('--tip is the height of the newest block: a number such as 905000.');
  return Number(text);
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}
