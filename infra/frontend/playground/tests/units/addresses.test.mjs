// Address fields: what is wrong is said at the field, before the service is asked.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './library.mjs';

const { readBitcoinAddress, readEvmAddress } = await load('lib/address.ts');

test('an address of the local chain is read, with the smallest payment to it', () => {
  for (const [address, leastSats] of [
    ['bcrt1qer7a3uae3azfu3kqaat0tljm6yl8tzf4gv7muy', 294n],
    ['BCRT1QER7A3UAE3AZFU3KQAAT0TLJM6YL8TZF4GV7MUY', 294n],
    ['bcrt1qvfzlk7rw6rfnn5p3x45pfjylz5v505l5f8z3fjk4kxh6rw3c2uls43rz0z', 330n],
    ['bcrt1pk2wvr83zmw27kqq40qygwlnan0jv2tqwclvlz88fng2magjvxd0s0md6x2', 330n],
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 546n],
    ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 540n],
  ]) assert.deepEqual(readBitcoinAddress(` ${address}\n`), { address, leastSats }, address);
});

test('an address of another network, a cut one and a mistyped one are refused', () => {
  for (const [text, problem] of [
    ['', /Enter the address/], ['  ', /Enter the address/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /another network\. .*bcrt1/], ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', /another network/],
    ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', /another network/], ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', /another network/],
    ['bcrt1qer7a3uae3azfu3kqaat0tljm6yl8tzf4gv7mu', /not a regtest address/], ['bcrt1qer7a3uae3azfu3kqaat0tljm6yl8tzf4gv7muz', /not a regtest address/],
    ['bcrt1qer7a3uae3azfu3kqaat0tljm6yl8tzf4gv7muy bcrt1', /not a regtest address/], ['0x52908400098527886E0F7030069857D2E4169EE7', /not a regtest address/],
  ]) assert.match(readBitcoinAddress(text).problem ?? '', problem, text);
  const evm = '0x52908400098527886E0F7030069857D2E4169EE7';
  assert.deepEqual(readEvmAddress(`${evm} `), { address: evm });
  assert.deepEqual(readEvmAddress(evm.toLowerCase()), { address: evm.toLowerCase() });
  for (const text of ['', evm.slice(0, -1), `${evm}0`, evm.replace('F7', 'f7'), evm.slice(2), 'nowhere', 'bcrt1qer7a3uae3azfu3kqaat0tljm6yl8tzf4gv7muy']) {
    assert.match(readEvmAddress(text).problem ?? '', /^(Enter|This is not)/, text);
  }
});
