// The fields of the lists, as the client's types have them: `types.ts` compares them with the types, and
// `journey.mjs` with the service.

/** Fields that are returned only with `select=+field`. */
export const HIDDEN = /** @type {const} */ ({
  '/api/account': ['lastSignInAt', 'referredBy'],
  '/api/account/activity': [],
  '/api/account/trading-wallet/coins': [],
  '/api/account/trading-wallet/deposits': [],
  '/api/download-histories': [],
  '/api/prizes': [],
  '/api/support/stuck': [],
  '/api/tokens': [],
  '/api/transactions': [],
  '/api/utxos': [],
  '/api/vm-transactions': [],
  '/api/vm-transactions/mints': [],
  '/api/xchain/transactions': ['failedAtStep', 'failureReason', 'fillTxHash', 'replaceTxId', 'replacedByTxId'],
});

/** Visible fields. */
export const VISIBLE = /** @type {const} */ ({
  '/api/account': ['authMethod', 'createdAt', 'email', 'id', 'role', 'totpEnabled', 'tradingAddress', 'wallet'],
  '/api/account/activity': ['change', 'createdAt', 'id', 'requestId', 'sessionId', 'sourceHash'],
  '/api/account/trading-wallet/coins': [
    'confirmedHeight', 'expiresInBlocks', 'heldBy', 'id', 'inscriptions', 'origin', 'renewal', 'runes', 'sats', 'state', 'usableFor',
    'userOnlyFromHeight',
  ],
  '/api/account/trading-wallet/deposits': [
    'blockHeight', 'confirmations', 'confirmedAt', 'createdAt', 'id', 'more', 'runes', 'sats', 'seenAt', 'state', 'txId', 'vout',
  ],
  '/api/download-histories': [
    'completedAt', 'createdAt', 'error', 'filter', 'format', 'id', 'rowCount', 'sizeBytes', 'status', 'url', 'urlExpiresAt',
  ],
  '/api/prizes': ['controllingUtxo', 'createdAt', 'id', 'inscriptionId', 'name', 'prizeNumber'],
  '/api/support/stuck': ['accountId', 'cause', 'failures', 'id', 'kind', 'since', 'state', 'stuckAt'],
  '/api/tokens': ['chain', 'divisibility', 'id', 'slots', 'symbol', 'tokenId'],
  '/api/transactions': [
    'amount', 'blockHeight', 'createdAt', 'feeSats', 'id', 'replaceTxId', 'replacedByTxId', 'state', 'tokenId', 'txId', 'type',
    'withdrawTo',
  ],
  '/api/utxos': [
    '_id', 'address', 'amount', 'confirmations', 'height', 'id', 'isExpired', 'isSpent', 'runes', 'satoshi', 'status', 'txid', 'txidVout', 'vout',
  ],
  '/api/vm-transactions': [
    'base64Tx', 'createdAt', 'distributeRuneAt', 'distributeRuneTxId', 'id', 'isRefundable', 'mintId', 'notTakenSats', 'paidSats', 'refundState',
    'refundTxId', 'replaceTxId', 'replacedByTxId', 'replacedRequestsCount', 'requestsInBlocksCount', 'requestsInMempoolCount', 'runeId',
    'satsNewRequests', 'satsPerNewRequest', 'satsPreviousRequests', 'state', 'timestamp', 'tradingAddress', 'transferBtcAt', 'transferBtcTxId',
    'txId', 'vmDistributionId',
  ],
  '/api/vm-transactions/mints': [
    'closesAt', 'createdAt', 'id', 'minSatsPerRequest', 'opensAt', 'poolAddress', 'proceedsAddress', 'requestsInBlocksCount',
    'requestsInMempoolCount', 'requestsPerBlock', 'runeId', 'runeName', 'state', 'tokensPerRequest', 'totalRequests', 'treasuryAddress',
  ],
  '/api/xchain/transactions': [
    'createdAt', 'dstChain', 'id', 'intent', 'intentTxHash', 'spokeTxHash', 'srcChain', 'status', 'tradingAddress', 'txId', 'type', 'updatedAt',
    'userAddress', 'verified', 'withdrawTo',
  ],
});

/** Visible fields that a row lacks if they have no value; in other rows they are null. */
export const ABSENT = /** @type {const} */ ({ '/api/download-histories': ['completedAt', 'error', 'url', 'urlExpiresAt'] });

/** Relations that `populate` accepts, besides `wallet` and `token`. */
export const RELATIONS = /** @type {const} */ ({
  '/api/account': ['referrer'],
  '/api/xchain/transactions': ['inputToken', 'outputToken'],
});
