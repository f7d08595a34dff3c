import { type SignedIn, signInWithWallet } from '@runeport/client';

import { levers } from './local.ts';
import { withCode } from './otp.tsx';
import { api, welcome } from './session.ts';
import { makeWallet, signerOf } from './wallets.ts';

/** The sats of a new demo user's first coin. */
export const DEMO_SATS = 250_000;

/** Creates a Bitcoin key, its account, and coins for its trading wallet, which most panels need. */
export async function makeDemoUser(): Promise<SignedIn> {
  const signer = await signerOf(await makeWallet('bitcoin'));
  const user = welcome(await withCode((otpCode) => signInWithWallet(api, signer, { otpCode })));
  if (user.tradingAddress !== null) {
    // Two coins, so that one can be spent while the other is unconfirmed.
    const { tradingAddress } = user;
    await Promise.all([DEMO_SATS, DEMO_SATS / 5].map((sats) => levers.fund(tradingAddress, sats)));
    await levers.mine(1);
  }
  return user;
}
