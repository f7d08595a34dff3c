import { type Coin, coinsIn, idOf, isPlain, withContents } from '../coins.js';
import { readKey, type UserKey } from '../key.js';
import { type Kit, ordinaryAddresses, readKit } from '../kit.js';
import { type Network, NETWORKS, ordOf, serversOf } from '../network.js';
import { ownAddress, plan, type Plan, type Planned, rateOf } from '../plan.js';
import { messageOf, Problem } from '../problem.js';
import { psbtOf, sign, type Signed, takeSignatures } from '../sign.js';
import { Esplora, readContents } from '../source.js';
import { contentsOf, feesOf, freedomOf, grouped, reasonOf, summaryOf, unlistedOf, workOf } from '../words.js';
import { at, copyable, make, onPress, say } from './dom.js';

/** What the user has given and found. The key is not in it. */
const state: {
  kit?: Kit;
  coins: Coin[];
  tip?: number;
  /** Coins that the user calls plain. */
  readonly plain: Set<string>;
  /** Coins that the user leaves where they are. */
  readonly without: Set<string>;
  /** Coins at the ordinary address of the key that may pay fees. */
  feeCoins: Coin[];
  signer?: string;
  planned: readonly Planned[];
  readonly signed: Map<string, Signed>;
  /** Whether the user has typed a fee rate. An estimate does not replace it. */
  hasRate: boolean;
} = { coins: [], plain: new Set(), without: new Set(), feeCoins: [], planned: [], signed: new Map(), hasRate: false };

const value = (id: string) => at<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(id).value;
const show = (id: string, is = true) => { at(id).hidden = !is; };
const fetcher = (url: string, init?: RequestInit) => fetch(url, init);

function theKit(): Kit {
  if (state.kit === undefined) throw new Problem('Choose your recovery file first.');
  return state.kit;
}

// Step 1

at('kit-network').append(...NETWORKS.map((network) => make('option', { value: network, textContent: network })));
at<HTMLInputElement>('file').addEventListener('change', () => void (async () => {
  const [file] = at<HTMLInputElement>('file').files ?? [];
  if (file === undefined) return;
  try {
    if (file.size > 20_000_000) throw new Problem('This file is too large to be a recovery file.');
    useKit(readKit(await file.text()));
  } catch (error) {
    forgetKit(messageOf(error));
  }
})());
onPress('read-text', 'kit-said', () => {
  try {
    useKit(readKit(value('kit-text'), value('kit-network') as Network));
  } catch (error) {
    forgetKit(messageOf(error));
  }
});

function forgetKit(why: string): void {
  delete state.kit;
  for (const id of ['kit-shown', 'step-2']) show(id, false);
  forgetCoins();
  say('kit-said', why, 'bad');
}

function useKit(kit: Kit): void {
  state.kit = kit;
  forgetCoins();
  const { address, network } = kit.wallet;
  say('kit-said', 'The file is complete. Its address belongs to its keys.', 'good');
  const listed = kit.coins === undefined ? 'It lists no coins; the next step finds them.' : `It lists ${kit.coins.length} coins; the next step finds what is there now.`;
  at('kit-shown').replaceChildren(
    make('p', {}, 'Your trading address is ', make('code', { textContent: address }), ` on the network ${network}. ${listed}`),
  );
  at('which-key').replaceChildren(
    make('p', { textContent: 'The right key belongs to the wallet in which you see one of these addresses:' }),
    make('ul', {}, ...ordinaryAddresses(kit.wallet).map((own) => make('li', {}, make('code', { textContent: own })))),
  );
  const servers = serversOf(network);
  at('servers').replaceChildren(...servers.map((server) => make('option', { value: server })));
  at<HTMLInputElement>('esplora').value = servers[0] ?? '';
  at<HTMLInputElement>('ord').value = ordOf(network);
  show('kit-shown');
  show('step-2');
}

// Step 2

function forgetCoins(): void {
  state.coins = [];
  delete state.tip;
  state.plain.clear();
  state.without.clear();
  state.feeCoins = [];
  for (const id of ['coins-shown', 'step-3', 'step-4']) show(id, false);
  say('coins-said', '');
  forgetPlan();
}

onPress('look', 'coins-said', async () => {
  const { wallet, coins: known = [] } = theKit();
  forgetCoins();
  say('coins-said', 'Looking for your coins …', 'busy');
  const esplora = new Esplora(value('esplora'), fetcher);
  const [tip, { coins, complete }] = await Promise.all([esplora.tip(), esplora.coins(wallet.address, known)]);
  const warnings = complete ? [] : ['The address has too many coins for this server, so these are only those in your recovery file.'];
  const estimate = await esplora.estimate().catch(() => undefined);
  if (estimate !== undefined && 'tooHigh' in estimate) {
    warnings.push(`The server estimates a fee rate of ${grouped(estimate.tooHigh)} sats per virtual byte, which is very high. It is not filled in.`);
  } else if (estimate !== undefined && !state.hasRate) at<HTMLInputElement>('rate').value = String(estimate.rate);
  useCoins(withContents(coins, known), tip, warnings.join(' '));
});
onPress('use-given', 'coins-said', () => {
  const { wallet, coins: known } = theKit();
  const pasted = value('transactions');
  forgetCoins();
  const tip = value('tip').replace(/[\s,.]/g, '');
  if (!/^\d{1,9}$/.test(tip)) throw new Problem('Enter the height of the newest block: a number such as 905000.');
  if (pasted.trim() === '' && known === undefined) {
    throw new Problem('Your recovery file lists no coins. Paste the transactions that paid your trading address.');
  }
  const coins = pasted.trim() === '' ? known ?? [] : withContents(coinsIn(pasted, wallet.script), known ?? []);
  useCoins(coins, Number(tip), 'This page could not check whether these coins are still there.');
});
onPress('ask', 'coins-said', async () => {
  say('coins-said', 'Asking what the coins carry …', 'busy');
  state.coins = await readContents(value('ord'), state.coins, fetcher);
  forgetPlan();
  showCoins('');
});

function useCoins(coins: readonly Coin[], tip: number, warning: string): void {
  state.coins = [...coins].sort((one, other) => (one.height ?? Infinity) - (other.height ?? Infinity));
  state.tip = tip;
  showCoins(warning);
}

function showCoins(warning: string): void {
  const { coins, tip } = state;
  say('coins-said', [summaryOf(coins, tip), warning].filter(Boolean).join(' '), coins.length === 0 || warning !== '' ? '' : 'good');
  at('coins').replaceChildren(...coins.map((coin) => make('tr', {},
    make('td', {}, moveBox(coin)),
    make('td', { className: 'id', textContent: `${coin.txid.slice(0, 8)}…:${coin.vout}`, title: idOf(coin) }),
    make('td', { className: 'number', textContent: grouped(coin.sats) }),
    make('td', {}, contentsOf(coin), ...(coin.contents === undefined ? [plainBox(coin)] : [])),
    make('td', { textContent: freedomOf(coin, tip) }),
  )));
  const some = coins.length > 0;
  show('coins-shown', some);
  show('unknown', coins.some(({ contents }) => contents === undefined));
  show('for-assets', coins.some((coin) => !isPlain(coin)));
  show('step-3', some);
  show('step-4', some);
}

function moveBox(coin: Coin): HTMLElement {
  const box = make('input', { type: 'checkbox', checked: !state.without.has(idOf(coin)), ariaLabel: `Move the coin ${idOf(coin)}` });
  box.addEventListener('change', () => {
    state.without[box.checked ? 'delete' : 'add'](idOf(coin));
    forgetPlan();
  });
  return box;
}

function plainBox(coin: Coin): HTMLElement {
  const box = make('input', { type: 'checkbox', checked: state.plain.has(idOf(coin)) });
  box.addEventListener('change', () => {
    state.plain[box.checked ? 'add' : 'delete'](idOf(coin));
    forgetPlan();
  });
  return make('label', { className: 'choice' }, box, ' It is plain');
}

// Steps 3 and 4

for (const id of ['destination', 'rate']) at(id).addEventListener('input', forgetPlan);
at('rate').addEventListener('input', () => { state.hasRate = value('rate').trim() !== ''; });
for (const radio of document.querySelectorAll<HTMLInputElement>('input[name=how]')) {
  radio.addEventListener('change', () => {
    show('by-key', radio.value === 'key');
    show('by-psbt', radio.value === 'psbt');
    forgetPlan();
  });
}
at<HTMLInputElement>('show-key').addEventListener('change', ({ target }) => {
  at('key').classList.toggle('shown', (target as HTMLInputElement).checked);
});

function forgetPlan(): void {
  state.planned = [];
  state.signed.clear();
  for (const id of ['step-5', 'signed-psbt', 'staying', 'fee-help']) show(id, false);
  at('psbts').replaceChildren();
  say('sign-said', '');
  say('send-said', '');
}

function makePlan(signer: string | undefined): Plan {
  const { wallet } = theKit();
  if (state.tip === undefined) throw new Problem('Find your coins first.');
  forgetPlan();
  if (signer === undefined) delete state.signer;
  else state.signer = signer;
  const none = { runes: [], inscriptions: [] };
  const coins = state.coins.map((coin) => (coin.contents === undefined && state.plain.has(idOf(coin)) ? { ...coin, contents: none } : coin));
  const made = plan({
    wallet, coins, tip: state.tip, destination: value('destination'), rate: rateOf(value('rate')), signer, feeCoins: state.feeCoins,
    without: state.without,
  });
  state.planned = made.transactions;
  showStaying(made, signer);
  return made;
}

function showStaying({ waiting }: Plan, signer: string | undefined): void {
  show('staying', waiting.length > 0);
  at('staying').replaceChildren(
    make('p', { textContent: `${waiting.length === 1 ? 'One coin stays' : `${waiting.length} coins stay`} for now:` }),
    make('ul', {}, ...waiting.map(({ coin, reason }) => make('li', {
      textContent: `${coin.txid.slice(0, 8)}…:${coin.vout}, ${grouped(coin.sats)} sats, ${contentsOf(coin)}. ${reasonOf(reason)}`,
    }))),
  );
  const unpaid = waiting.filter(({ reason }) => reason === 'noFee').length;
  show('fee-help', unpaid > 0 && signer !== undefined);
  if (unpaid === 0 || signer === undefined) return;
  const needed = (rateOf(value('rate')) * BigInt(450 * unpaid)) / 1_000n + 1_000n;
  at('fee-help-text').textContent = 'To pay the fee of coins that carry something, send at least '
    + `${grouped(needed)} sats of plain bitcoin from any wallet to ${ownAddress(signer, theKit().wallet)}. This is an ordinary address of your `
    + 'own key, not a trading address. Then look for the payment and tick it. Tick only the payment that you have just sent.';
}

onPress('sign', 'sign-said', () => {
  const { wallet } = theKit();
  say('sign-said', 'Looking for the key …', 'busy');
  const key: UserKey = readKey(value('key'), wallet, value('passphrase'), value('path'));
  const { transactions } = makePlan(key.publicKey);
  if (transactions.length === 0) throw new Problem('There is nothing to sign now. See below why each coin stays.');
  for (const planned of transactions) state.signed.set(planned.txid, sign(planned, wallet, key.privateKey));
  say('sign-said', `Signed${key.path === undefined ? '' : ` with the key at ${key.path}`}. Nothing is sent yet.`, 'good');
  showSigned();
});

onPress('prepare', 'sign-said', () => {
  const { wallet } = theKit();
  const [only, other] = wallet.user;
  const { transactions } = makePlan(other === undefined ? only : undefined);
  if (transactions.length === 0) throw new Problem('There is nothing to sign now. See below why each coin stays.');
  at('psbts').replaceChildren(...transactions.map((planned, place) => make('div', {},
    make('p', { textContent: `Transaction ${place + 1} of ${transactions.length}. ${workOf(planned)}` }),
    copyable(psbtOf(planned), `PSBT ${place + 1}`),
  )));
  show('signed-psbt');
  say('sign-said', 'Sign each of these with the other program, one after another, and paste what it returns below.');
});

onPress('take', 'sign-said', () => {
  const { wallet } = theKit();
  const signed = takeSignatures(value('signed'), state.planned, wallet);
  state.signed.set(signed.txid, signed);
  at<HTMLTextAreaElement>('signed').value = '';
  const left = state.planned.length - state.signed.size;
  if (left > 0) {
    say('sign-said', `The signatures are right. ${left === 1 ? 'One transaction is' : `${left} transactions are`} left to sign.`, 'good');
    return;
  }
  say('sign-said', 'All signatures are right. Nothing is sent yet.', 'good');
  showSigned();
});

onPress('look-fee', 'sign-said', async () => {
  if (state.signer === undefined) throw new Problem('Enter your key first.');
  const { coins } = await new Esplora(value('esplora'), fetcher).coins(ownAddress(state.signer, theKit().wallet));
  state.feeCoins = [];
  at('fee-coins').replaceChildren(...coins.map((coin) => {
    const box = make('input', { type: 'checkbox' });
    box.addEventListener('change', () => {
      const others = state.feeCoins.filter((other) => idOf(other) !== idOf(coin));
      state.feeCoins = box.checked ? [...others, { ...coin, contents: { runes: [], inscriptions: [] } }] : others;
    });
    return make('label', { className: 'choice' }, box, ` ${grouped(coin.sats)} sats, from transaction ${coin.txid}`);
  }));
  say('sign-said', coins.length === 0
    ? 'The payment is not there yet. Wait a minute and look again.'
    : 'Tick the payment that you have just sent. Then prepare and sign again.');
});

// Step 5

function showSigned(): void {
  const { planned } = state;
  at('check').textContent = `${planned.length === 1 ? 'This transaction is' : `These ${planned.length} transactions are`} ready. Everything goes to `
    + `${value('destination').trim()}. Compare this address with the one that your other wallet shows, character by character. ${feesOf(planned)}`;
  at('signed-list').replaceChildren(...planned.map((one) => {
    const { hex = '' } = state.signed.get(one.txid) ?? {};
    return make('li', {},
      make('p', { textContent: workOf(one) }),
      make('details', {},
        make('summary', { textContent: 'Transaction in hex, to send it in another way' }),
        make('p', {}, 'Its id is ', make('code', { textContent: one.txid }), '.'),
        copyable(hex, 'Transaction in hex'),
      ),
    );
  }));
  show('step-5');
  at('step-5').scrollIntoView({ behavior: 'smooth' });
}

// Another server may give another answer, so the message about the last one is removed.
at('esplora').addEventListener('input', () => say('send-said', ''));
onPress('send', 'send-said', async () => {
  const esplora = new Esplora(value('esplora'), fetcher);
  const { planned } = state;
  const again = 'Name another server in step 2, and press “Send” again. It does no harm to send a transaction twice.';
  for (const [place, { txid }] of planned.entries()) {
    const signed = state.signed.get(txid);
    if (signed === undefined) continue;
    say('send-said', `Sending transaction ${place + 1} of ${planned.length} …`, 'busy');
    let isListed: boolean;
    try {
      isListed = await esplora.deliver(signed);
    } catch (error) {
      const before = place === 0 ? 'Nothing was sent.' : `${place} of ${planned.length} transactions were sent.`;
      throw new Problem(`${before} ${messageOf(error)}`);
    }
    if (!isListed) throw new Problem(`${unlistedOf(esplora.host, place, planned.length)} ${again}`);
  }
  say('send-said', `Sent. The network has ${planned.length === 1 ? 'the transaction' : `all ${planned.length} transactions`}, says ${esplora.host}. `
    + `Your other wallet shows the coins once a block has them. If it does not within a day, the server may have dropped something. ${again}`, 'good');
});
