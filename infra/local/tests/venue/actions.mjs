// The actions that the service builds for the venue, signed as a frontend does it with viem and
// @nktkas/hyperliquid, whose schemas must take the whole of every request.
//
// BASE is the service's address, KEY the wallet's private key, NONCE a time in milliseconds. Prints one line
// of JSON, which for the same wallet and nonce equals that of actions.py, except for the bytes of
// setReferrer: the SDK does not give them out.

import assert from 'node:assert/strict';
import { call, require, signIn } from './service.mjs';

const {
  ApproveBuilderFeeRequest, ApproveBuilderFeeTypes, SendAssetRequest, SendAssetTypes, SetReferrerRequest,
} = require('@nktkas/hyperliquid/api/exchange');
const { createL1ActionHash, signL1Action, signUserSignedAction } = require('@nktkas/hyperliquid/signing');
const v = require('valibot');
const { hashTypedData, serializeSignature, verifyTypedData, zeroAddress } = require('viem');
const { privateKeyToAccount } = require('viem/accounts');

const account = privateKeyToAccount(process.env.KEY);
const nonce = Number(process.env.NONCE);
assert(Number.isSafeInteger(nonce) && nonce > 0, 'NONCE is no time');

/** Has the service build an action, and checks its kind, its keys and their order, and its values. */
async function ask(path, body, kind, formats) {
  const { data } = await call('POST', `/api/perp-venue/${path}`, { token, body });
  assert.deepEqual(Object.keys(data), ['kind', 'action', 'signing']);
  assert.equal(data.kind, kind);
  assert.deepEqual(Object.keys(data.action), Object.keys(formats));
  for (const [key, format] of Object.entries(formats)) {
    assert.equal(typeof data.action[key], 'string', key);
    assert.match(data.action[key], format, key);
  }
  return data;
}

/** The form that is signed: the venue's own name for its chain, and the nonce last. */
function signingForm(action, time = nonce) {
  const name = (key) => (key === 'venueChain' ? 'hyperliquidChain' : key);
  return { ...Object.fromEntries(Object.entries(action).map(([key, value]) => [name(key), value])), nonce: time };
}

/** Asserts that viem computes the service's digest from its typed data and this message. */
function digestIs({ domain, types, primaryType, digest }, message) {
  assert.equal(hashTypedData({ domain, types, primaryType, message }), digest);
}

/** Asserts that the venue's schema accepts a request without changing it. */
function takes(schema, request) {
  assert.deepEqual(v.parse(schema, request), request);
}

/** The signature is the wallet's, as viem sees it. */
async function verify({ r, s, v: parity }, name, chainId, types, message) {
  const signature = serializeSignature({ r, s, v: BigInt(parity) });
  const domain = { name, version: '1', chainId, verifyingContract: zeroAddress };
  const [primaryType] = Object.keys(types);
  assert(await verifyTypedData({ address: account.address, domain, types, primaryType, message, signature }));
}

async function userSigned({ action, signing }, types, schema) {
  assert.equal(signing.scheme, 'userSignedAction');
  assert.deepEqual(signing.types, types);
  assert.equal(signing.domain.chainId, Number(action.signatureChainId));
  digestIs(signing, signingForm(action, signing.nonce));
  const form = signingForm(action);
  const signature = await signUserSignedAction({ wallet: account, action: form, types });
  takes(schema, { action: form, nonce, signature });
  await verify(signature, 'HyperliquidSignTransaction', Number(form.signatureChainId), types, form);
  return { signature };
}

const token = await signIn(account);
await call('POST', '/_local/venue', { body: { address: account.address, exists: true, venueBalance: '12' } });

const address = /^0x[0-9a-f]{40}$/;
const chain = { venueChain: /^(Mainnet|Testnet)$/, signatureChainId: /^0x[1-9a-f][0-9a-f]*$/ };
const userAddress = account.address;
const { action: setReferrer, signing: ofReferrer } = await ask('referral', { userAddress }, 'set_referrer', {
  type: /^setReferrer$/, code: /^[!-~]{1,20}$/,
});
const approveBuilderFee = await ask('builder-fee-approval', {}, 'approve_builder_fee', {
  type: /^approveBuilderFee$/, ...chain, maxFeeRate: /^(0|[1-9]\d*)(\.\d*[1-9])?%$/, builder: address,
});
const sendAsset = await ask('withdraw', { userAddress, amount: '2.50' }, 'withdraw', {
  type: /^sendAsset$/, ...chain, destination: address, sourceDex: /^[a-z]*$/, destinationDex: /^[a-z]*$/,
  token: /^USDC:0x[0-9a-f]{32}$/, amount: /^2\.5$/, fromSubAccount: /^$/,
});
assert.equal(sendAsset.action.venueChain, approveBuilderFee.action.venueChain);

const isTestnet = approveBuilderFee.action.venueChain === 'Testnet';
const hash = createL1ActionHash({ action: setReferrer, nonce });
const signature = await signL1Action({ wallet: account, action: setReferrer, nonce, isTestnet });
takes(SetReferrerRequest, { action: setReferrer, nonce, signature });
assert.equal(ofReferrer.scheme, 'l1Action');
digestIs(ofReferrer, {
  source: isTestnet ? 'b' : 'a', connectionId: createL1ActionHash({ action: setReferrer, nonce: ofReferrer.nonce }),
});
const agent = { Agent: [{ name: 'source', type: 'string' }, { name: 'connectionId', type: 'bytes32' }] };
assert.deepEqual(ofReferrer.types, agent);
await verify(signature, 'Exchange', 1337, agent, { source: isTestnet ? 'b' : 'a', connectionId: hash });

console.log(JSON.stringify({
  setReferrer: { hash, signature },
  approveBuilderFee: await userSigned(approveBuilderFee, ApproveBuilderFeeTypes, ApproveBuilderFeeRequest),
  sendAsset: await userSigned(sendAsset, SendAssetTypes, SendAssetRequest),
}));
