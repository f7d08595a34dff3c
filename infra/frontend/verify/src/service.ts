import { Problem } from '../../recovery/src/problem.js';
import type { Server } from './server.js';
import { type Block, blockOf, type Row, rowOf, type Terms, termsOf } from './terms.js';

/** What the service says of a mint. Batches are read after the chain, so that they include every batch in it. */
export interface Claims {
  readonly terms: Terms;
  batches(): Promise<readonly Row[]>;
  /** Missing if the virtual blocks of the service are not compared. */
  readonly blocks: (() => Promise<readonly Block[]>) | undefined;
  /** Whether the service lists a transaction as a batch of another mint. */
  isOfAnotherMint(txid: string): Promise<boolean>;
}

interface Answer {
  readonly data: unknown;
  readonly metaData?: { readonly totalPages?: unknown };
}

const PATH = /^(https?:\/\/.+)\/mints\/[^/?#]+$/;

/** Reads a mint at the address `…/api/vm-transactions/mints/{id}`, and its lists once they are needed. */
export async function claimsAt(address: string, server: Server): Promise<Claims> {
  const [, lists] = PATH.exec(address) ?? [];
  if (lists === undefined) throw new Problem('The address of a mint ends in /api/vm-transactions/mints/ and its id.');
  const terms = termsOf(objectOf((await server.json<Answer>(address))?.data));
  return {
    terms,
    batches: async () => (await rowsAt(`${lists}?mintId_eq=${terms.id}`, 'timestamp', server)).map(rowOf),
    blocks: async () => (await rowsAt(`${address}/blocks`, 'height', server)).map(blockOf),
    async isOfAnotherMint(txid) {
      const answer = await server.json<Answer>(`${lists}/${txid}`);
      return answer !== undefined && rowOf(objectOf(answer.data)).mintId !== terms.id;
    },
  };
}

/** Reads all pages of a list, oldest rows first, so that new rows move none to another page. */
export async function rowsAt(address: string, sort: string, server: Server): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await server.json<Answer>(`${address}${address.includes('?') ? '&' : '?'}sort=${sort}&pageSize=100&page=${page}`);
    if (!Array.isArray(answer?.data)) throw new Problem(`${address} does not answer with a list.`);
    found.push(...answer.data.map(objectOf));
    pages = Number(answer.metaData?.totalPages ?? 1);
  }
  return found;
}

/** Claims of which the batches are given, possibly with those of other mints. */
export function claimsOfRows(terms: Terms, batches: () => Promise<readonly Row[]>, blocks?: () => Promise<readonly Block[]>): Claims {
  const isOfAnotherMint = async (txid: string) => (await batches()).some(({ txId, mintId }) => txId === txid && mintId !== terms.id);
  return { terms, batches, blocks, isOfAnotherMint };
}

/** Reads saved answers of the service: one of the mint, those of its batches, and, if they are to be compared, of its blocks. */
export function claimsIn(texts: readonly string[]): Claims {
  const [mint, other] = texts.filter((text) => !Array.isArray(dataOf(text)));
  if (mint === undefined || other !== undefined) throw new Problem('Choose the answer of one mint, together with those of its batches.');
  const rows = texts.filter((text) => text !== mint).flatMap(rowsIn);
  const batches = rows.filter((row) => 'txId' in row).map(rowOf);
  const blocks = rows.filter((row) => !('txId' in row)).map(blockOf);
  return claimsOfRows(termsIn(mint), () => Promise.resolve(batches), blocks.length === 0 ? undefined : () => Promise.resolve(blocks));
}

/** The terms in a saved answer. */
export function termsIn(text: string): Terms {
  return termsOf(objectOf(dataOf(text)));
}

/** The rows in a saved answer. */
export function rowsIn(text: string): Record<string, unknown>[] {
  const data = dataOf(text);
  if (!Array.isArray(data)) throw new Problem('A file with the answer of a mint is where one with a list should be.');
  return data.map(objectOf);
}

function dataOf(text: string): unknown {
  try {
    return objectOf(JSON.parse(text))['data'];
  } catch {
    throw new Problem('A file is not an answer of the service: it is not JSON.');
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Problem('An answer of the service has not the form that it should have.');
  return value as Record<string, unknown>;
}
