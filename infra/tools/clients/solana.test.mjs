// Wallets of Solana.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { authenticate, challenge, require } from './service.mjs';

const { ed25519 } = require('@noble/curves/ed25519');
const { encodeBase58: base58 } = require('ethers');
const { createSignInMessage, parseSignInMessage, verifySignIn } = require('@solana/wallet-standard-util');

test('Sign In With Solana: reads a challenge, writes it again byte for byte, and verifies its signature', async () => {
  const key = ed25519.utils.randomPrivateKey();
  const publicKey = ed25519.getPublicKey(key);
  const address = base58(publicKey);
  const { challengeId, message } = await challenge(address, 'solana');
  const signedMessage = new TextEncoder().encode(message);
  const read = parseSignInMessage(signedMessage);
  assert.equal(read.address, address);
  assert.equal(read.requestId, challengeId);
  assert.deepEqual(createSignInMessage(read), signedMessage);
  const signature = ed25519.sign(signedMessage, key);
  assert.equal(verifySignIn(read, { account: { address, publicKey }, signedMessage, signature }), true);
  await authenticate({ challengeId, signature: base58(signature), address, publicKey: address, chain: 'solana' });
});
