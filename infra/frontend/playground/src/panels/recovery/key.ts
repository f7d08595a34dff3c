import type { RecoveryKit } from '@runeport/client';
import { hex } from '@scure/base';
import { WIF } from '@scure/btc-signer';
import { TEST_NETWORK } from '@scure/btc-signer/utils.js';

import { bitcoinWalletWithKey, secretOf } from '../../stores/wallets.ts';

/** The private key of a kit's wallet as WIF, if this tab has it. Regtest has the same keys as the other test networks. */
export function keyOf({ publicKeys }: RecoveryKit): string | undefined {
  const wallet = publicKeys.map(bitcoinWalletWithKey).find((one) => one !== undefined);
  const secret = wallet && secretOf(wallet);
  return secret === undefined ? undefined : WIF(TEST_NETWORK).encode(hex.decode(secret));
}
