import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { examples, whole } from './readme.mjs';

/** What the examples mention and do not declare. */
const MENTIONED = `
declare const api: import('@runeport/client').Api;
declare const account: string;
declare const address: string;
declare const baseUrl: string;
declare const bitcoin: import('@runeport/client/wallets/bitcoin').BitcoinWallet;
declare const change: import('@runeport/client/srp').EmailChange;
declare const email: string;
declare const encryptedBlob: string;
declare const file: File;
declare const id: string;
declare const lastHandled: number;
declare const newEmail: string;
declare const newEncryptedBlob: string;
declare const newPassword: string;
declare const onSent: (hashes: import('@runeport/client/venue').DepositHashes) => void;
declare const otpCode: string;
declare const password: string;
declare const passwordHint: string;
declare const queryClient: import('@tanstack/query-core').QueryClient;
declare const runeId: string;
declare const secret: Uint8Array;
declare const signal: AbortSignal;
declare const swap: import('@runeport/client/swaps').Swap;
declare const token: string;
declare const txId: string;
declare const txIdVouts: string[];
declare const userAddress: string;
declare const wallet: import('@runeport/client/wallets/bitcoin').BitcoinWallet & import('viem/accounts').PrivateKeyAccount;
declare const walletClient: Parameters<typeof import('@runeport/client/venue').sendDeposit>[0];
declare const withdrawTo: string;
declare const withdrawal: import('@runeport/client/bitcoin').Withdrawal;
declare function addButton(label: string, icon: string | undefined, onClick: () => Promise<unknown>): void;
declare function askUser(question: string): Promise<boolean>;
declare function handle(event: import('@runeport/client/events').Event): Promise<void>;
declare function keep(signed: import('@runeport/client/bitcoin').SignedTransaction): Promise<void>;
declare function show(exchanges: readonly import('@runeport/client').Exchange[]): void;
declare function showSignIn(): void;
declare function useQuery<T>(options: import('@runeport/client/query').RuneportQueryOptions<T>): { data: T | undefined };
declare function useInfiniteQuery<T, P>(options: import('@runeport/client/query').RuneportInfiniteQueryOptions<T, P>): { data: { pages: T[] } | undefined };
interface Window {
  ethereum: import('@runeport/client/wallets/evm').Eip1193Provider;
  solana: import('@runeport/client/wallets/solana').SolanaProvider;
  unisat: import('@runeport/client/wallets/bitcoin').BitcoinProvider;
}
`;

test('the examples of the README compile', () => {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const files = new Map([[`${here}mentioned.d.ts`, MENTIONED]]);
  // A name that a block declares itself hides the one that is mentioned.
  examples.forEach((example, index) => files.set(`${here}example-${index}.ts`, `${whole(example)}\nexport {};\n`));
  const { config } = ts.readConfigFile(fileURLToPath(new URL('../../tsconfig.base.json', import.meta.url)), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noEmit: true, types: [], noUnusedLocals: false }, here);
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...more) =>
    files.has(name) ? ts.createSourceFile(name, files.get(name), ts.ScriptTarget.ES2022) : getSourceFile(name, ...more);
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
  const said = diagnostics.map(({ file, start, messageText }) => {
    const index = file?.fileName.match(/example-(\d+)/)?.[1];
    const line = file && start !== undefined ? file.text.slice(0, start).split('\n').length : 0;
    const place = index === undefined ? file?.fileName : `${examples[index].name}: ${file.text.split('\n')[line - 1]}`;
    return `${place}\n  ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  assert.equal(said.join('\n'), '');
  assert.ok(examples.length > 15);
});
