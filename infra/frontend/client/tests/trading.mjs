// Coins and transactions of a trading wallet, for the tests in this folder.

import assert from 'node:assert/strict';

import { base64 } from '@scure/base';
import { p2tr, p2wpkh, p2wsh, Script, Transaction } from '@scure/btc-signer';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { pubECDSA, pubSchnorr, TEST_NETWORK } from '@scure/btc-signer/utils.js';

import { bitcoinKeyWallet } from '@runeport/client/wallets/bitcoin';

export const network = { ...TEST_NETWORK, bech32: 'bcrt' };
export const key = (byte) => new Uint8Array(32).fill(byte);
export const user = bitcoinKeyWallet({ privateKey: key(1), network: 'regtest' });
// The script of a trading wallet: wsh(and_v(v:pk(user),or_d(pk(platform),older(12960)))).
export const witnessScript = Uint8Array.from([
  33, ...pubECDSA(key(1)), 0xad, 33, ...pubECDSA(key(2)), 0xac, 0x73, 0x64, 2, 0xa0, 0x32, 0xb2, 0x68,
]);
export const tradingScript = p2wsh({ type: 'unknown', script: witnessScript }, network);
export const trading = tradingScript.address;
// Similar scripts: an attacker's script, a shorter delay, another user key, another platform key, and the
// wallet's own address.
export const wshOf = (script) => ({ ...p2wsh({ type: 'unknown', script }, network), witnessScript: script });
export const poison = wshOf(Script.encode(['IF', pubECDSA(key(1)), 'ELSE', pubECDSA(key(5)), 'ENDIF', 'CHECKSIG']));
export const hasty = wshOf(witnessScript.map((byte) => (byte === 0x32 ? 0x01 : byte)));
export const foreign = wshOf(Uint8Array.from([33, ...pubECDSA(key(5)), ...witnessScript.slice(34)]));
export const elsewhere = wshOf(Uint8Array.from([...witnessScript.slice(0, 36), ...pubECDSA(key(6)), ...witnessScript.slice(69)]));
export const signIn = p2wpkh(pubECDSA(key(1)), network);
export const treasury = p2wpkh(pubECDSA(key(3)), network);
export const recipient = p2tr(pubSchnorr(key(4)), undefined, network);
export const stranger = p2wpkh(pubECDSA(key(5)), network).address;

export const opReturn = (data) => Uint8Array.from([0x6a, data.length, ...data]);
export const runestone = (...numbers) => Uint8Array.from([0x6a, 0x5d, numbers.length, ...numbers]);

/** A transaction with inputs `{sats, of?, vout?}` and outputs `{sats, to? | script}`, as the service returns it. */
export function issued(inputs, outputs, { users = inputs.map((_input, index) => index), sighashType } = {}) {
  const transaction = new Transaction({ allowUnknownInputs: true, allowUnknownOutputs: true });
  inputs.forEach(({ sats, of = { script: tradingScript.script, witnessScript }, vout }, index) => transaction.addInput({
    txid: new Uint8Array(32).fill(7), index: vout ?? index,
    witnessUtxo: { amount: BigInt(sats), script: of.script },
    ...(of.witnessScript && { witnessScript: of.witnessScript }),
    ...(sighashType && { sighashType }),
  }));
  for (const { sats = 0, to, script } of outputs) {
    if (script) transaction.addOutput({ amount: BigInt(sats), script });
    else transaction.addOutputAddress(to, BigInt(sats), network);
  }
  const sum = (sides) => sides.reduce((total, { sats = 0 }) => total + sats, 0);
  return {
    base64Psbt: base64.encode(transaction.toPSBT()),
    txId: transaction.id,
    fee: { totalFee: sum(inputs) - sum(outputs), feeRate: 1 },
    userInputIndexes: users,
    expiresAt: 0,
  };
}

/** The same transaction with a changed PSBT, which the library itself would not create. */
export function altered(told, change) {
  const psbt = RawPSBTV0.decode(base64.decode(told.base64Psbt));
  change(psbt);
  return { ...told, base64Psbt: base64.encode(RawPSBTV0.encode(psbt)) };
}

// LEB128 of 840000.
export const EDICT = [0xc0, 0xa2, 0x33, 3];

export const refused = (why) => (error) => error.key === 'client.psbtRefused' && why.test(error.message) || assert.fail(error);
