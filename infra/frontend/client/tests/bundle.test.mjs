// The size that the client adds to a page: bundled as in a frontend, minified, gzipped.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const resolveDir = fileURLToPath(new URL('.', import.meta.url));

/** Bundles a page with these contents; returns its size and the files in it. */
async function page(contents) {
  const { outputFiles: [{ contents: bytes }], metafile } = await build({
    stdin: { contents, resolveDir },
    bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false, metafile: true,
    // Warnings about bundler settings do not matter here.
    logLevel: 'error',
  });
  return { size: gzipSync(bytes, { level: 9 }).length, files: Object.keys(metafile.inputs) };
}

const KB = 1_000;
// The sizes in the client's README, plus at most 5%.
const flows = {
  'calls alone': [5.45 * KB, `
    import { call, createApi } from '@runeport/client';
    call(createApi({ baseUrl: '' }), 'get', '/api/health').then(console.log);`],
  'sign-in by password': [43 * KB, `
    import { createApi } from '@runeport/client';
    import { signInWithPassword } from '@runeport/client/srp';
    signInWithPassword(createApi({ baseUrl: '' }), JSON.parse(location.hash)).then(console.log);`],
  'sign-in by a browser wallet, and a withdrawal': [45.5 * KB, `
    import { createApi, signInWithWallet } from '@runeport/client';
    import { withdrawThroughHub } from '@runeport/client/bitcoin';
    import { injectedBitcoinWallet } from '@runeport/client/wallets/bitcoin';
    const api = createApi({ baseUrl: '' });
    const wallet = await injectedBitcoinWallet(window.unisat);
    await signInWithWallet(api, wallet);
    await withdrawThroughHub(api, wallet, JSON.parse(location.hash));`],
  'sign-in by a browser wallet, and the trading wallet': [47.5 * KB, `
    import { createApi, signInWithWallet } from '@runeport/client';
    import { balance, bump, renew, withdraw } from '@runeport/client/wallet';
    import { injectedBitcoinWallet } from '@runeport/client/wallets/bitcoin';
    const api = createApi({ baseUrl: '' });
    const wallet = await injectedBitcoinWallet(window.unisat);
    await signInWithWallet(api, wallet);
    console.log(await balance(api), await withdraw(api, wallet, JSON.parse(location.hash)), await renew(api, wallet), bump);`],
  'sign-in by an EVM wallet': [6.8 * KB, `
    import { createApi, signInWithWallet } from '@runeport/client';
    import { injectedEvmWallet } from '@runeport/client/wallets/evm';
    await signInWithWallet(createApi({ baseUrl: '' }), await injectedEvmWallet(window.ethereum));`],
  'sign-in by a wallet of the browser': [10.8 * KB, `
    import { createApi, signInWithWallet } from '@runeport/client';
    import { discoverWallets } from '@runeport/client/wallets';
    const api = createApi({ baseUrl: '' });
    for await (const { connect } of discoverWallets()) await signInWithWallet(api, await connect());`],
  'sign-in by a passkey': [6.6 * KB, `
    import { createApi } from '@runeport/client';
    import { signInWithPasskey } from '@runeport/client/passkeys';
    await signInWithPasskey(createApi({ baseUrl: '' }));`],
};

for (const [name, [most, contents]] of Object.entries(flows)) {
  test(`${name}: at most ${most / KB} kB`, async (context) => {
    const { size, files } = await page(contents);
    context.diagnostic(`${name}: ${(size / KB).toFixed(1)} kB gzipped`);
    assert.ok(size <= most, `${size} bytes, of ${files.length} files`);
  });
}

test('a bundler that splits loads the arithmetic of passwords only where no worker runs: at most 8.7 kB before', async (context) => {
  const { outputFiles, metafile: { outputs } } = await build({
    stdin: { contents: flows['sign-in by password'][1], resolveDir }, outdir: '/page', splitting: true,
    bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false, metafile: true, logLevel: 'error',
  });
  const later = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'dynamic-import'));
  assert.equal(later.length, 1);
  const first = outputFiles.filter(({ path }) => !later[0].path.endsWith(path.split('/').at(-1)));
  const size = first.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  context.diagnostic(`${(size / KB).toFixed(1)} kB gzipped`);
  assert.ok(size <= 8.7 * KB, `${size} bytes`);
});

test('an EVM wallet sign-in bundles no library of other chains', async () => {
  const { files } = await page(flows['sign-in by an EVM wallet'][1]);
  assert.deepEqual(files.filter((file) => /btc-signer|hash-wasm|curves|srp|viem/.test(file)), []);
});
