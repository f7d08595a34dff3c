/** Paths with parameters, as written in the OpenAPI document. */
const TEMPLATES: [RegExp, string][] = [
  [/^\/auth\/sessions\/([^/]+)$/, '/auth/sessions/{id}'],
  [/^\/api\/account\/passkeys\/(?!init$|verify$)([^/]+)$/, '/api/account/passkeys/{id}'],
  [/^\/api\/account\/addresses\/([^/]+)$/, '/api/account/addresses/{address}'],
  [/^\/api\/account\/referral-code\/([^/]+)\/verify$/, '/api/account/referral-code/{code}/verify'],
  [/^\/api\/vm-transactions\/mints\/([^/]+)\/close$/, '/api/vm-transactions/mints/{id}/close'],
  [/^\/api\/transactions\/([0-9a-f]{64})$/, '/api/transactions/{txId}'],
  [/^\/api\/transactions\/([0-9a-f]{64})\/replace$/, '/api/transactions/{txId}/replace'],
  [/^\/api\/xchain\/transactions\/([^/]+)\/status$/, '/api/xchain/transactions/{txId}/status'],
  [/^\/api\/vm-transactions\/mints\/([^/]+)\/next-block$/, '/api/vm-transactions/mints/{id}/next-block'],
  [/^\/api\/vm-transactions\/mints\/([^/]+)\/events$/, '/api/vm-transactions/mints/{id}/events'],
  [/^\/api\/refund\/([0-9a-f]{64})$/, '/api/refund/{txId}'],
  [/^\/api\/download-histories\/([^/]+)$/, '/api/download-histories/{id}'],
  [/^\/api\/webhooks\/([^/]+)$/, '/api/webhooks/{id}'],
  [/^\/api\/webhooks\/([^/]+)\/test$/, '/api/webhooks/{id}/test'],
  [/^\/api\/webhooks\/([^/]+)\/replay$/, '/api/webhooks/{id}/replay'],
  [/^\/api\/webhooks\/([^/]+)\/rotate-secret$/, '/api/webhooks/{id}/rotate-secret'],
  [/^\/api\/webhooks\/([^/]+)\/deliveries$/, '/api/webhooks/{id}/deliveries'],
  [/^\/api\/webhooks\/([^/]+)\/deliveries\/(\d+)\/redeliver$/, '/api/webhooks/{id}/deliveries/{n}/redeliver'],
];

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
  'POST /api/account/passkeys/init': flow('/passkeys', 'addPasskey', 'await addPasskey(api, { name })'),
  'POST /api/account/passkeys/verify': flow('/passkeys', 'addPasskey', 'await addPasskey(api, { name })'),
  'POST /api/account/addresses': flow('', 'linkAddress', 'await linkAddress(api, wallet)'),
  'POST /api/account/trading-wallet': flow('', 'makeTradingWallet', 'await makeTradingWallet(api, wallet)'),
  'POST /api/account/srp/change-password/init': flow('/srp', 'changePassword', 'await changePassword(api, { email, password, newPassword, newEncryptedBlob })'),
  'POST /api/account/srp/change-password/verify': flow('/srp', 'changePassword', 'await changePassword(api, { email, password, newPassword, newEncryptedBlob })'),
  'POST /api/account/change-email/init': flow('/srp', 'requestEmailChange', 'const change = await requestEmailChange(api, { newEmail })'),
  'POST /api/account/change-email/verify': flow('/srp', 'confirmEmailChange', 'await confirmEmailChange(api, { change, token, email, newEmail, password })'),
  'POST /api/xchain/transaction': flow('/bitcoin', 'withdraw', 'await withdraw(api, wallet, { tokenId, amount, withdrawTo, xchainData })'),
  'POST /api/xchain/transaction/sign': flow('/bitcoin', 'withdraw', 'await withdraw(api, wallet, { tokenId, amount, withdrawTo, xchainData })'),
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
  'POST /api/download-histories': flow('/exports', 'exportHistory', "const { url } = await exportHistory(api, { format: 'csv', filter })"),
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
    .replaceAll(/"((?:[^"\\'])*)"/g, "'$1'");
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** The same call as client code: the flow that it belongs to, and the single call. */
export function clientCode(method: string, url: URL, body: unknown): string {
  const known = TEMPLATES.find(([pattern]) => pattern.test(url.pathname));
  const path = known?.[1] ?? url.pathname;
  const params: string[] = [];
  if (known) {
    const [pattern, template] = known;
    const [, ...values] = pattern.exec(url.pathname) ?? [];
    const names = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
    const pairs = names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')] as const);
    // The number of an event is the only parameter that is a number.
    params.push(`path: { ${pairs.map(([name, value]) => `${name}: ${name === 'n' ? value : `'${value}'`}`).join(', ')} }`);
  }
  if (url.search !== '') params.push(`query: ${indented(literal(Object.fromEntries(url.searchParams)), '    ')}`);
  const options = [
    ...(params.length > 0 ? [`params: {\n    ${params.join(',\n    ')},\n  }`] : []),
    ...(body === undefined ? [] : [`body: ${indented(literal(body), '  ')}`]),
  ];
  const last = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  const alone = `const { data } = await call(api, '${method.toLowerCase()}', '${path}'${last})`;
  const imports = "import { call, createApi } from '@runeport/client'";
  const api = `const api = createApi({ baseUrl: '${url.origin}' })`;
  const found = FLOWS[`${method} ${path}`];
  if (!found) return `${imports}\n\n${api}\n${alone}`;
  const whole = typeof found === 'function' ? found(body) : found;
  const flowImports =
    whole.from === ''
      ? `import { createApi, ${whole.name} } from '@runeport/client'`
      : `import { createApi } from '@runeport/client'\nimport { ${whole.name} } from '@runeport/client${whole.from}'`;
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
