import { useEffect, useRef, useState } from 'preact/hooks';

import { announce } from '../app/announce.tsx';
import { Button } from '../components/Button.tsx';
import { CodeBlock } from '../components/Json.tsx';
import { Section } from '../components/Layout.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { EmptyState } from '../components/States.tsx';
import { Table } from '../components/Table.tsx';
import { StatusPill } from '../components/Pill.tsx';
import { useLoad } from '../components/useCall.ts';
import { plural, short } from '../lib/format.ts';
import { hashOf, listOf, onlyPlace, placeOfHit } from './place.ts';
import { goOnTo, goTo, place } from './router.ts';
import { read } from './service.ts';
import type { Found, Hit } from './shapes.ts';
import { foundBy, KINDS, readAs } from './words.ts';

const SHORTEST = 1;
const LONGEST = 200;

/** The one field for all questions. `/` leads to it. */
export function SearchBox() {
  const at = place.value;
  const shown = at.view === 'search' ? at.text : undefined;
  const [text, setText] = useState(shown ?? '');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (shown !== undefined) setText(shown);
  }, [shown]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const from = event.target instanceof Element ? event.target.closest('input, textarea, select, dialog') : null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || from) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const wanted = text.trim();
  const isAsked = wanted.length >= SHORTEST && wanted.length <= LONGEST;
  return (
    <form
      class="support-search"
      role="search"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isAsked) goTo({ view: 'search', text: wanted });
      }}
    >
      <div class="field">
        <label for="support-search">E-mail address, address, account id, transaction id or request id</label>
        <div class="row">
          <input
            id="support-search" ref={input} type="search" value={text} autocomplete="off" spellcheck={false} autocapitalize="off" autofocus={at.view === 'start'}
            maxLength={LONGEST} aria-describedby="support-search-hint" aria-keyshortcuts="/" onInput={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" kind="primary" disabled={!isAsked}>Search</Button>
        </div>
        <p class="field-hint" id="support-search-hint">Whole values, as the customer has sent them. The key / leads here.</p>
      </div>
    </form>
  );
}

function Hits({ found: { data: hits, metaData: { forms, logsQuery } } }: { found: Found }) {
  return (
    <>
      {hits.length === 0
        ? <EmptyState title="Nothing was found">{readAs(forms)} Ask for the whole value: parts of one are not found.</EmptyState>
        : (
          <Table<Hit>
            caption="Results"
            rows={hits}
            rowKey={({ kind, id, foundBy: by }) => `${kind} ${id} ${by}`}
            columns={[
              {
                title: 'Found', cell: (hit) => {
                  const to = placeOfHit(hit);
                  const name = `${KINDS[hit.kind]} ${short(hit.id, 8)}`;
                  return to === undefined ? name : <a href={hashOf(to)}>{name}</a>;
                },
              },
              { title: 'Why', cell: foundBy },
              {
                title: 'Account', cell: ({ accountId, email }) => (accountId === null
                  ? <span class="muted">the platform</span> : <a href={listOf(accountId)}>{email ?? short(accountId, 8)}</a>),
              },
              { title: 'State', cell: ({ state }) => <StatusPill status={state} /> },
            ]}
          />
        )}
      {logsQuery !== null && (
        <div class="stack-s">
          <p class="small">If it is a request id, this query for CloudWatch Logs Insights finds the request. Run it over the log groups of the stack.</p>
          <CodeBlock text={logsQuery} label="Query for the logs" />
        </div>
      )}
    </>
  );
}

export function Results({ text }: { text: string }) {
  const search = useLoad(async () => {
    const found = await read('/api/support/search', { query: { q: text } });
    const only = onlyPlace(found);
    const at = place.peek();
    // The user may have left in the meantime.
    if (only && at.view === 'search' && at.text === text) goOnTo(only);
    else announce(found.data.length === 0 ? 'Nothing was found.' : `${plural(found.data.length, 'result')}.`);
    return found;
  }, [text]);
  return (
    <Section title="Results" description={search.data && search.data.data.length > 0 ? readAs(search.data.metaData.forms) : 'What the service has found.'}>
      <div class="support-rows"><Loaded call={search} lines={6}>{(found) => <Hits found={found} />}</Loaded></div>
    </Section>
  );
}
