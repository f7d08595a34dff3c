import { NETWORKS, serversOf } from '../../../recovery/src/network.js';
import { at, make, onPress, say } from '../../../recovery/src/page/dom.js';
import { grouped } from '../../../recovery/src/words.js';
import { wordsOf } from '../batches.js';
import { check, isProven, type Report } from '../check.js';
import type { Share } from '../payouts.js';
import { Server } from '../server.js';
import { claimsAt, claimsIn } from '../service.js';
import { factsOf, verdictOf } from '../words.js';

/** The most batches that are shown together. */
const SHOWN = 100;

let shares: readonly Share[] = [];

const value = (id: string) => at<HTMLInputElement>(id).value.trim();

at('servers').append(...NETWORKS.flatMap(serversOf).map((server) => make('option', { value: server })));

onPress('check', 'said', async () => {
  forget();
  say('said', 'Reading the mint …', 'busy');
  const server = new Server((url, init) => fetch(url, init));
  const files = [...at<HTMLInputElement>('files').files ?? []];
  const claims = files.length > 0 ? claimsIn(await Promise.all(files.map((file) => file.text()))) : await claimsAt(value('mint'), server);
  show(await check(claims, value('esplora'), server, (doing) => { say('said', doing, 'busy'); }), server.requests);
});

function forget(): void {
  shares = [];
  at('facts').replaceChildren();
  at('batches-shown').hidden = true;
}

function show(report: Report, requests: number): void {
  say('said', verdictOf(report), report.difference === undefined ? 'good' : 'bad');
  at('facts').replaceChildren(...[...factsOf(report), `${grouped(requests)} requests.`].map((fact) => make('li', { textContent: fact })));
  shares = report.shares;
  at('batches-shown').hidden = shares.length === 0;
  list();
}

at('find').addEventListener('input', list);

function list(): void {
  const wanted = value('find').toLowerCase();
  const found = shares.filter(({ batch }) => wanted === '' || batch.to.toLowerCase() === wanted || batch.txid === wanted);
  at('shown-count').textContent = found.length > SHOWN ? `The first ${SHOWN} of ${grouped(found.length)} batches. Enter your address to see yours.` : '';
  at('batches').replaceChildren(...found.slice(0, SHOWN).map((share) => {
    const { batch, kept, rest } = share;
    return make('tr', {},
      make('td', { className: 'id', textContent: `${batch.txid.slice(0, 8)}…`, title: batch.txid }),
      make('td', { className: 'number', textContent: `${grouped(batch.height)}, ${grouped(batch.position)}` }),
      make('td', { textContent: wordsOf(batch.bids) }),
      make('td', { textContent: batch.bids.map(({ taken }) => grouped(taken)).join(', ') }),
      make('td', { textContent: `${grouped(kept)}, ${grouped(rest)} sats` }),
      make('td', { textContent: isProven(share) ? 'shown by its payouts' : 'the service’s word' }),
    );
  }));
}
