// Generated from infra/openapi.json by `npm run generate`.

/** The paths whose POST takes an `Idempotency-Key`. */
export const IDEMPOTENT: ReadonlySet<string> = /* @__PURE__ */ new Set([
  '/api/account/addresses',
  '/api/account/passkeys/verify',
  '/api/account/trading-wallet',
  '/api/account/trading-wallet/deposits',
  '/api/download-histories',
  '/api/prizes',
  '/api/refund',
  '/api/refund/sign',
  '/api/transactions',
  '/api/transactions/sign',
  '/api/transactions/{txId}/replace',
  '/api/vm-transactions',
  '/api/vm-transactions/mints',
  '/api/vm-transactions/sign',
  '/api/webhooks',
  '/api/xchain/transaction',
  '/api/xchain/transaction/sign',
]);
