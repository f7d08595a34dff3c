import type { paths } from '@runeport/client';

type Templated = Extract<keyof paths, `${string}{${string}`>;

/** Every path with parameters of the OpenAPI document, with the words in the place of its parameter that are paths of their own. */
const TEMPLATES: Readonly<Record<Templated, readonly string[]>> = {
  '/api/account/addresses/{address}': [],
  '/api/account/passkeys/{id}': ['init', 'verify'],
  '/api/account/referral-code/{code}/verify': [],
  '/api/account/{id}': [
    'activity', 'addresses', 'avatar', 'default-token', 'keystore', 'me', 'passkeys', 'trading-wallet', 'verify-email',
  ],
  '/api/auth/sessions/{id}': [],
  '/api/download-histories/{id}': [],
  '/api/medias/{name}': ['presigned-url'],
  '/api/prizes/{prizeNumber}': [],
  '/api/refund/{txId}': ['calculate', 'sign'],
  '/api/runes/{runeId}': [],
  '/api/support/accounts/{accountId}': [],
  '/api/support/accounts/{accountId}/activity': [],
  '/api/support/accounts/{accountId}/batches': [],
  '/api/support/accounts/{accountId}/cross-chain': [],
  '/api/support/accounts/{accountId}/deposits': [],
  '/api/support/accounts/{accountId}/exports': [],
  '/api/support/accounts/{accountId}/refunds': [],
  '/api/support/accounts/{accountId}/transactions': [],
  '/api/support/accounts/{accountId}/webhooks': [],
  '/api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries': [],
  '/api/support/transactions/{txId}': [],
  '/api/tokens/{tokenId}': [],
  '/api/transactions/{txId}': ['max-spent', 'sign'],
  '/api/transactions/{txId}/replace': [],
  '/api/vm-transactions/mints/{id}': [],
  '/api/vm-transactions/mints/{id}/blocks': [],
  '/api/vm-transactions/mints/{id}/close': [],
  '/api/vm-transactions/mints/{id}/events': [],
  '/api/vm-transactions/mints/{id}/next-block': [],
  '/api/vm-transactions/{txId}': ['count-unconfirmed-requests', 'mints', 'sign'],
  '/api/wallets/details/{userAddress}': [],
  '/api/webhooks/{id}': [],
  '/api/webhooks/{id}/deliveries': [],
  '/api/webhooks/{id}/deliveries/{sequence}/redeliver': [],
  '/api/webhooks/{id}/replay': [],
  '/api/webhooks/{id}/rotate-secret': [],
  '/api/webhooks/{id}/test': [],
  '/api/xchain/transactions/{txId}': ['register'],
  '/api/xchain/transactions/{txId}/status': [],
  '/auth/sessions/{id}': [],
};

/** What each of these paths matches, with its parameters. */
const PATTERNS = Object.entries(TEMPLATES).map(([template, others]) => ({
  template,
  others,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
}));

interface Flow {
  from: string;
  name: string;
  use: string;
}

const flow = (from: string, name: string, use: string): Flow => ({ from, name, use });
const SIGN_IN = (body: unknown): Flow => {
  const has = (field: string) => typeof body === 'object' && body !== null && field in body;
  if (has('clientProof')) return flow('/srp', 'signInWithPassword', 'await signInWithPassword(api, { email, password })');
  if (has('credential')) return flow('/passkeys', 'signInWithPasskey', 'await signInWithPasskey(api)');
  return flow('', 'signInWithWallet', 'await signInWithWallet(api, wallet)');
};

const WATCH = flow('/events', 'watch', 'for await (const event of watch(api)) console.log(event.type)');
const WITHDRAW = flow('/wallet', 'withdraw', 'await withdraw(api, wallet, { tokenId, amount, withdrawTo })');
const TRANSACTION = (body: unknown): Flow =>
  (typeof body === 'object' && body !== null && 'type' in body && body.type === 'renew-utxo'
    ? flow('/wallet', 'renew', 'await renew(api, wallet, { txIdVouts })') : WITHDRAW);
const REPLACEMENT = (body: unknown): Flow =>
  (typeof body === 'object' && body !== null && 'action' in body && body.action === 'cancel'
    ? flow('/wallet', 'cancel', 'await cancel(api, wallet, versions)') : flow('/wallet', 'bump', 'await bump(api, wallet, versions)'));

/** Calls that belong to a flow of the client. */
const FLOWS: Record<string, Flow | ((body: unknown) => Flow)> = {
  'GET /auth/wallet/challenge': flow('', 'signInWithWallet', 'await signInWithWallet(api, wallet)'),
  'POST /auth/authenticate': SIGN_IN,
  'POST /auth/srp/init': flow('/srp', 'signInWithPassword', 'await signInWithPassword(api, { email, password })'),
  'POST /auth/register/srp': flow('/srp', 'registerWithPassword', 'await registerWithPassword(api, { email, password, encryptedBlob })'),
  'POST /auth/register/wallet': flow('', 'registerWithWallet', 'await registerWithWallet(api, wallet, { encryptedBlob })'),
  'POST /auth/passkey/init': flow('/passkeys', 'signInWithPasskey', 'await signInWithPasskey(api)'),
  'POST /auth/register/passkey/init': flow('/passkeys', 'registerWithPasskey', 'await registerWithPasskey(api, { email })'),
  'POST /auth/register/passkey/verify': flow('/passkeys', 'registerWithPasskey', 'await registerWithPasskey(api, { email })'),
  'POST /api/account/passkeys/init': flow('/passkeys', 'addPasskey', 'await addPasskey(api, { name: "This device" })'),
  'POST /api/account/passkeys/verify': flow('/passkeys', 'addPasskey', 'await addPasskey(api, { name: "This device" })'),
  'POST /api/account/addresses': flow('', 'linkAddress', 'await linkAddress(api, wallet)'),
  'POST /api/account/trading-wallet': flow('', 'makeTradingWallet', 'await makeTradingWallet(api, wallet)'),
  'POST /api/account/srp/change-password/init': flow('/srp', 'changePassword', 'await changePassword(api, { email, password, newPassword, newEncryptedBlob })'),
  'POST /api/account/srp/change-password/verify': flow('/srp', 'changePassword', 'await changePassword(api, { email, password, newPassword, newEncryptedBlob })'),
  'POST /api/account/change-email/init': flow('/srp', 'requestEmailChange', 'const change = await requestEmailChange(api, { newEmail })'),
  'POST /api/account/change-email/verify': flow('/srp', 'confirmEmailChange', 'await confirmEmailChange(api, { change, token, email, newEmail, password })'),
  'POST /api/xchain/transaction': flow('/bitcoin', 'withdrawThroughHub', 'await withdrawThroughHub(api, wallet, { tokenId, amount, withdrawTo, xchainData })'),
  'POST /api/xchain/transaction/sign': flow('/bitcoin', 'withdrawThroughHub', 'await withdrawThroughHub(api, wallet, { tokenId, amount, withdrawTo, xchainData })'),
  'POST /api/xchain/transactions/register': flow('/swaps', 'followSwap', 'const { status } = await followSwap(api, swap)'),
  'GET /api/xchain/transactions/{txId}/status': flow('/swaps', 'watchSwap', 'for await (const { status } of watchSwap(api, txId)) console.log(status)'),
  'GET /api/account/trading-wallet/balance': flow('/wallet', 'balance', 'const { btc, runes } = await balance(api)'),
  'GET /api/account/trading-wallet/coins': flow('/wallet', 'coins', 'const { coins: held } = await coins(api)'),
  'POST /api/account/trading-wallet/deposits': flow('/wallet', 'announceDeposit', 'const [deposit] = await announceDeposit(api, txId)'),
  'GET /api/events': WATCH,
  'POST /api/events/ticket': WATCH,
  'GET /api/vm-transactions/mints/{id}/events': flow('/events', 'watch', 'for await (const event of watch(api, { mintId })) console.log(event.type)'),
  'POST /api/transactions/max-spent': flow('/wallet', 'largestAmount', 'const { maxAmount, leftOut } = await largestAmount(api, { type, params })'),
  'POST /api/transactions': TRANSACTION,
  'POST /api/transactions/sign': WITHDRAW,
  'POST /api/transactions/{txId}/replace': REPLACEMENT,
  'DELETE /api/transactions/{txId}': flow('/wallet', 'release', 'await release(api, txId)'),
  'POST /api/vm-transactions': flow('/bitcoin', 'requestMint', 'await requestMint(api, wallet, { userAddress, runeId, requestCount, satsNewRequests })'),
  'POST /api/vm-transactions/sign': flow('/bitcoin', 'requestMint', 'await requestMint(api, wallet, { userAddress, runeId, requestCount, satsNewRequests })'),
  'GET /api/refund/calculate': flow('/bitcoin', 'calculateRefund', 'const calculation = await calculateRefund(api, { userAddress, runeIds })'),
  'POST /api/refund': flow('/bitcoin', 'refund', 'await refund(api, wallet, { userAddress, runeIds, refundableSats })'),
  'POST /api/refund/sign': flow('/bitcoin', 'refund', 'await refund(api, wallet, { userAddress, runeIds, refundableSats })'),
  'POST /api/perp-venue/deposit': flow('/venue', 'createDeposit', 'const { deposit } = await createDeposit(api, { userAddress, amount }, { chainId: 998 })'),
  'POST /api/perp-venue/referral': flow('/venue', 'setReferrer', 'await setReferrer(api, wallet, { userAddress })'),
  'POST /api/perp-venue/builder-fee-approval': flow('/venue', 'approveBuilderFee', 'await approveBuilderFee(api, wallet, { userAddress })'),
  'POST /api/perp-venue/withdraw': flow('/venue', 'withdrawFromVenue', 'await withdrawFromVenue(api, wallet, { userAddress, amount, venueChain: "Testnet" })'),
  'POST /api/medias/presigned-url': flow('/media', 'uploadMedia', 'const [{ url }] = await uploadMedia(api, [file])'),
  'DELETE /api/medias/{name}': flow('/media', 'deleteMedia', 'await deleteMedia(api, key)'),
  'GET /api/support/search': flow('/support', 'searchSupport', 'const { hits } = await searchSupport(api, q)'),
  'GET /api/support/accounts/{accountId}': flow('/support', 'getSupportAccount', 'const { email, counts } = await getSupportAccount(api, accountId)'),
  'GET /api/support/accounts/{accountId}/activity': flow('/support', 'listSupportRows', "const { data: rows } = await listSupportRows(api, accountId, 'activity')"),
  'GET /api/support/accounts/{accountId}/batches': flow('/support', 'listSupportRows', "const { data: rows } = await listSupportRows(api, accountId, 'batches')"),
  'GET /api/support/accounts/{accountId}/cross-chain': flow('/support', 'listSupportRows', "const { data: rows } = await listSupportRows(api, accountId, 'cross-chain')"),
  'GET /api/support/accounts/{accountId}/deposits': flow('/support', 'listSupportRows', "const { data: rows } = await listSupportRows(api, accountId, 'deposits')"),
  'GET /api/support/accounts/{accountId}/exports': flow('/support', 'listSupportRows', "const { data: rows } = await listSupportRows(api, accountId, 'exports')"),
  'GET /api/support/accounts/{accountId}/refunds': flow('/support', 'listSupportRows', "const { data: rows } = await listSupportRows(api, accountId, 'refunds')"),
  'GET /api/support/accounts/{accountId}/transactions': flow('/support', 'listSupportRows', "const { data: rows } = await listSupportRows(api, accountId, 'transactions')"),
  'GET /api/support/accounts/{accountId}/webhooks': flow('/support', 'listSupportWebhooks', 'const webhooks = await listSupportWebhooks(api, accountId)'),
  'GET /api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries': flow('/support', 'listSupportDeliveries', 'const { data: attempts } = await listSupportDeliveries(api, accountId, webhookId)'),
  'GET /api/support/transactions/{txId}': flow('/support', 'getSupportTransaction', 'const { state, history, failing } = await getSupportTransaction(api, txId)'),
  'GET /api/support/stuck': flow('/support', 'listStuckRows', 'const { data: stuck } = await listStuckRows(api)'),
  'GET /api/support/payouts': flow('/support', 'listPayouts', 'const payouts = await listPayouts(api)'),
  'GET /api/support/reads': flow('/support', 'listSupportReads', 'const { data: reads } = await listSupportReads(api, { accountId })'),
  'POST /api/download-histories': flow('/exports', 'exportHistory', "const { url } = await exportHistory(api, { format: 'csv', filter })"),
};

const TRIED_TRANSACTION = (body: unknown): Flow =>
  (TRANSACTION(body) === WITHDRAW
    ? flow('/wallet', 'previewWithdrawal', 'const { transaction, notes } = await previewWithdrawal(api, { tokenId, amount, withdrawTo })')
    : flow('/wallet', 'previewRenewal', 'const { transaction, notes } = await previewRenewal(api, { txIdVouts })'));

/** The same for calls that are only tried. */
const DRY_RUNS: typeof FLOWS = {
  'POST /api/xchain/transaction': flow('/bitcoin', 'previewHubWithdrawal', 'const { transaction, notes } = await previewHubWithdrawal(api, { tokenId, amount, withdrawTo, xchainData })'),
  'POST /api/transactions': TRIED_TRANSACTION,
  'POST /api/vm-transactions': flow('/bitcoin', 'previewMintRequest', 'const { transaction, notes } = await previewMintRequest(api, { userAddress, runeId, requestCount, satsNewRequests })'),
};

const SECRETS = /signature|proof|otpcode|token$|verifier|salt|clientpublic|credential|encryptedblob/i;

function literal(value: unknown): string {
  const json = JSON.stringify(
    value,
    (key, entry: unknown) => (SECRETS.test(key) && entry !== null && key !== 'inputToken' && key !== 'outputToken' ? '…' : entry),
    2,
  );
  return json
    .replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\'])*)"/g, "'$1'")
    // A credential is an object, which the reader's own authenticator creates.
    .replaceAll(/\bcredential: '…'/g, 'credential');
}

/** Parameters of paths and queries that are numbers. */
const NUMBERS = new Set(['after', 'asOf', 'limit', 'page', 'pageSize', 'prizeNumber', 'requestCount', 'sequence', 'srcChain']);

/** Filters that take several values, which a URL separates by commas. */
const LISTS = new Set([
  'chain_eq', 'dstChain_eq', 'renewal_eq', 'slot_eq', 'srcChain_eq', 'state_eq', 'status_eq', 'tokenId_eq', 'type_eq',
]);

/** The parameter with which a call is only tried. */
const DRY_RUN = 'dryRun';

function parameter(name: string, value: string): unknown {
  if (name === DRY_RUN) return value === 'true';
  if (NUMBERS.has(name)) return Number(value);
  return LISTS.has(name) ? value.split(',') : value;
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

const isEmpty = (body: unknown): boolean =>
  body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);

/** The same call as client code: the flow that it belongs to, and the single call. */
export function clientCode(method: string, url: URL, body: unknown): string {
  const known = PATTERNS.flatMap(({ template, others, pattern }) => {
    const [, ...values] = pattern.exec(url.pathname) ?? [];
    return values.length === 0 || others.includes(values[0] ?? '') ? [] : [{ template, values }];
  })[0];
  const path = known?.template ?? url.pathname;
  const params: string[] = [];
  if (known) {
    const { template, values } = known;
    const names = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
    const pairs = names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')] as const);
    params.push(`path: { ${pairs.map(([name, value]) => `${name}: ${NUMBERS.has(name) ? value : `'${value}'`}`).join(', ')} }`);
  }
  if (url.search !== '') params.push(`query: ${indented(literal(Object.fromEntries(Array.from(url.searchParams, ([name, value]) => [name, parameter(name, value)]))), '    ')}`);
  const options = [
    ...(params.length > 0 ? [`params: {\n    ${params.join(',\n    ')},\n  }`] : []),
    ...(isEmpty(body) ? [] : [`body: ${indented(literal(body), '  ')}`]),
  ];
  const last = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  // The keys are published as RFC 7517 says, without the envelope of the other answers.
  const result = path === '/.well-known/jwks.json' ? '{ keys }' : '{ data }';
  const alone = `const ${result} = await call(api, '${method.toLowerCase()}', '${path}'${last})`;
  const imports = "import { call, createApi } from '@runeport/client'";
  const api = `const api = createApi({ baseUrl: '${url.origin}' })`;
  const found = (url.searchParams.get(DRY_RUN) === 'true' ? DRY_RUNS : FLOWS)[`${method} ${path}`];
  if (!found) return `${imports}\n\n${api}\n${alone}`;
  const whole = typeof found === 'function' ? found(body) : found;
  const flowImports =
    whole.from === ''
      ? `import { call, createApi, ${whole.name} } from '@runeport/client'`
      : `${imports}\nimport { ${whole.name} } from '@runeport/client${whole.from}'`;
  return `${flowImports}\n\n${api}\n// The flow that this call belongs to.\n${whole.use}\n\n// This call only.\n${alone}`;
}

/** The same call with `fetch`. Levers are not part of the client, because they only exist on this machine. */
export function fetchCode(method: string, url: URL, body: unknown): string {
  const where = url.origin === location.origin ? `${url.pathname}${url.search}` : url.href;
  if (body === undefined) {
    return `const answer = await fetch('${where}', {\n  headers: { Accept: 'application/json' },\n}).then((response) => response.json())`;
  }
  const json = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
  return `const answer = await fetch('${where}', {\n  method: '${method}',\n  body: JSON.stringify(${json}),\n}).then((response) => response.json())`;
}
