// Compiles examples: those of the README, and those of the functions.

import { fileURLToPath } from 'node:url';

import ts from 'typescript';

/** What the examples mention and do not declare. A name that an example declares itself hides the one here. */
const MENTIONED = `
declare const account: string;
declare const accountId: string;
declare const address: string;
declare const api: import('@runeport/client').Api;
declare const base64Psbt: string;
declare const baseUrl: string;
declare const bitcoin: import('@runeport/client/wallets/bitcoin').BitcoinWallet;
declare const button: HTMLButtonElement;
declare const change: import('@runeport/client/srp').EmailChange;
declare const deviceToken: string;
declare const email: string;
declare const encryptedBlob: string;
declare const esplora: string;
declare const file: File;
declare const id: string;
declare const inspector: import('@runeport/client/inspect').Inspector;
declare const lastHandled: number;
declare const me: { id: string };
declare const newEmail: string;
declare const newEncryptedBlob: string;
declare const newPassword: string;
declare const onSent: (hashes: import('@runeport/client/venue').DepositHashes) => void;
declare const otpCode: string;
declare const password: string;
declare const passwordHint: string;
declare const privateKey: Uint8Array;
declare const process: { env: { WEBHOOK_SECRET: string } };
declare const provider: import('@runeport/client/wallets/bitcoin').RpcProvider;
declare const queryClient: import('@tanstack/query-core').QueryClient;
declare const referralCode: string;
declare const refreshToken: string;
declare const refundableSats: number;
declare const request: Request;
declare const runeId: string;
declare const script: Uint8Array;
declare const secret: Uint8Array;
declare const secretKey: Uint8Array;
declare const signal: AbortSignal;
declare const signed: import('@runeport/client/wallet').SignedTransaction;
declare const standardWallet: import('@runeport/client/wallets/solana').StandardWallet;
declare const swap: import('@runeport/client/swaps').Swap;
declare const token: string;
declare const transaction: import('@runeport/client/bitcoin').UnsignedTransaction;
declare const txId: string;
declare const txIdVouts: string[];
declare const userAddress: string;
declare const venue: string;
declare const viemAccount: import('viem/accounts').PrivateKeyAccount;
declare const wallet: import('@runeport/client/wallets/bitcoin').BitcoinWallet & import('viem/accounts').PrivateKeyAccount;
declare const walletClient: Parameters<typeof import('@runeport/client/venue').sendDeposit>[0];
declare const webhookId: string;
declare const withdrawal: import('@runeport/client/bitcoin').HubWithdrawal;
declare const withdrawTo: string;
declare function addButton(label: string, icon: string | undefined, onClick: () => Promise<unknown>): void;
declare function askCode(): string;
declare function askUser(question: string): Promise<boolean>;
declare function handle(event: import('@runeport/client/events').Event): Promise<void>;
declare function keep(signed: import('@runeport/client/bitcoin').SignedTransaction): Promise<void>;
declare function show(exchanges: readonly import('@runeport/client').Exchange[]): void;
declare function showSignIn(): void;
declare function useInfiniteQuery<T, P>(options: import('@runeport/client/query').RuneportInfiniteQueryOptions<T, P>): { data: { pages: T[] } | undefined };
declare function useQuery<T>(options: import('@runeport/client/query').RuneportQueryOptions<T>): { data: T | undefined };
declare function writeFile(name: string, text: string): Promise<void>;
interface Window {
  ethereum: import('@runeport/client/wallets/evm').Eip1193Provider;
  solana: import('@runeport/client/wallets/solana').SolanaProvider;
  unisat: import('@runeport/client/wallets/bitcoin').BitcoinProvider;
}
`;

const here = fileURLToPath(new URL('.', import.meta.url));

/** The compiler's options of the package. */
export function compilerOptions(more = {}) {
  const { config } = ts.readConfigFile(fileURLToPath(new URL('../../tsconfig.base.json', import.meta.url)), ts.sys.readFile);
  return ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noEmit: true, types: [], ...more }, here).options;
}

/** The compiler's messages about these examples, `{name, code}`, each with the name and the line. */
export function problemsOf(examples) {
  const files = new Map([[`${here}mentioned.d.ts`, MENTIONED]]);
  examples.forEach(({ code }, index) => files.set(`${here}example-${index}.ts`, `${code}\nexport {};\n`));
  const options = compilerOptions({ noUnusedLocals: false });
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...more) =>
    files.has(name) ? ts.createSourceFile(name, files.get(name), ts.ScriptTarget.ES2022) : getSourceFile(name, ...more);
  return ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host)).map(({ file, start, messageText }) => {
    const index = file?.fileName.match(/example-(\d+)/)?.[1];
    const line = file && start !== undefined ? file.text.slice(0, start).split('\n').length : 0;
    const place = index === undefined ? file?.fileName : `${examples[index].name}: ${file.text.split('\n')[line - 1]}`;
    return `${place}\n  ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
