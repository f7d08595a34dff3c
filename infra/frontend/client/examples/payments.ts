// What a frontend needs around its payments. A signed transaction is kept until the service has answered: sent again, it pays
// once. Built again, it would pay twice.

import { type Api, RuneportError } from '@runeport/client';
import {
  type PsbtDescription, type PsbtSigner, type SignedTransaction, submit, withdraw, type WithdrawalRequest,
} from '@runeport/client/wallet';

/** The payments of an account. A payment waits for an earlier one of unknown outcome. */
export function paymentsOf(api: Api, account: string, storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage) {
  const name = `signed ${account}`;

  async function settle(send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
      storage.removeItem(name);
    } catch (error) {
      if (!isUnknown(error)) storage.removeItem(name);
      throw error;
    }
  }

  /** Sends the transaction again whose answer never came, if there is one. */
  async function submitKept(): Promise<void> {
    const kept = storage.getItem(name);
    if (kept !== null) await settle(() => submit(api, (JSON.parse(kept) as SignedTransaction).base64Psbt));
  }

  async function pay(signer: PsbtSigner, request: WithdrawalRequest, confirm: (psbt: PsbtDescription) => boolean): Promise<void> {
    await submitKept();
    const onSigned = (signed: SignedTransaction) => storage.setItem(name, JSON.stringify(signed));
    await settle(() => withdraw(api, signer, request, { confirm, onSigned }));
  }

  return { pay, submitKept };
}

/** Whether the service may have the transaction in spite of the error. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof RuneportError)) return true;
  return error.status >= 500 || ['client.network', 'client.unavailable', 'common.inProgress'].includes(error.key);
}
