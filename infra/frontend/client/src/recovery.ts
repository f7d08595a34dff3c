import { type Api, call, type CallOptions, type Schemas } from './api.js';
import { clientError } from './error.js';

/** What the owner of a trading wallet needs to spend its coins without the service, except for the private key. */
export type RecoveryKit = Schemas['RecoveryKit'];

/** A recovery kit as a file. */
export interface RecoveryFile {
  readonly kit: RecoveryKit;
  /** Contains the end of the trading address. */
  readonly fileName: string;
  /** The contents of the file: JSON. */
  readonly text: string;
}

/**
 * Reads the recovery kit of the account's trading wallet, as a file for the recovery page. It contains no secret. If the
 * service cannot read the chain, `kit.coins` is null, and the recovery page finds the coins.
 *
 * @throws {@link RuneportError} `account.tradingWalletNotFound` if the account has no trading wallet.
 *
 * @example
 * const { fileName, text } = await readRecoveryKit(api);
 * await writeFile(fileName, text);
 */
export async function readRecoveryKit(api: Api, options: CallOptions = {}): Promise<RecoveryFile> {
  const { data: kit } = await call(api, 'get', '/api/account/trading-wallet/recovery-kit', options);
  return { kit, fileName: `runeport-recovery-kit-${kit.address.slice(-8)}.json`, text: `${JSON.stringify(kit, null, 2)}\n` };
}

/**
 * Reads the recovery kit, and has the browser save it as a file.
 *
 * @throws {@link RuneportError} `client.unsupported` outside a page; the errors of {@link readRecoveryKit}.
 *
 * @example
 * button.onclick = () => downloadRecoveryKit(api);
 */
export async function downloadRecoveryKit(api: Api, options: CallOptions = {}): Promise<RecoveryFile> {
  if (typeof document === 'undefined') throw clientError('client.unsupported', 'Only a page can save a file. Use readRecoveryKit.');
  const file = await readRecoveryKit(api, options);
  const url = URL.createObjectURL(new Blob([file.text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: file.fileName }).click();
  // Some browsers read it only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return file;
}
