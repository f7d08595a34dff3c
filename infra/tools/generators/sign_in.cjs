// The typescript-fetch client of openapi-generator signs a wallet in and reads: BASE is the service's address, CLIENT the folder
// of the compiled client.

const assert = require('node:assert/strict');
const { createRequire } = require('node:module');

const requireTool = createRequire(`${process.env.RUNEPORT_LOCAL_DIR}/node/package.json`);
const { generatePrivateKey, privateKeyToAccount } = requireTool('viem/accounts');
const { AccountApi, AuthApi, Configuration, TransactionsApi } = require(process.env.CLIENT);

async function main() {
  let token;
  const configuration = new Configuration({ basePath: process.env.BASE, accessToken: async () => token });
  const wallet = privateKeyToAccount(generatePrivateKey());
  const { address } = wallet;

  const auth = new AuthApi(configuration);
  const { data: { challengeId, message } } = await auth.getWalletChallenge({ address, chain: 'evm' });
  const signature = await wallet.signMessage({ message });
  const { data: session } = await auth.authenticate({
    authenticate: { challengeId, signature, address, publicKey: '', chain: 'evm', provider: 'viem' },
  });
  token = session.accessToken;

  const { data: me } = await new AccountApi(configuration).getMe();
  assert.equal(me.id, session.account.id);
  const page = await new TransactionsApi(configuration).listBitcoinTransactions({ page: 1, pageSize: 5 });
  assert.deepEqual(page.data, []);
  assert.deepEqual([page.metaData.totalItems, page.metaData.pageSize], [0, 5]);
  await auth.logOut();
  console.log(`typescript-fetch: ${me.id} signed in and out`);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
