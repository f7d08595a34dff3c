// Generated from infra/openapi.json by `npm run generate`.

import type * as accountTypes from './types/account.js';
import type * as authTypes from './types/auth.js';
import type * as bitcoinTypes from './types/bitcoin.js';
import type * as credentialsTypes from './types/credentials.js';
import type * as downloadHistoriesTypes from './types/download-histories.js';
import type * as errorsTypes from './types/errors.js';
import type * as eventsTypes from './types/events.js';
import type * as mediasTypes from './types/medias.js';
import type * as perpVenueTypes from './types/perp-venue.js';
import type * as prizesTypes from './types/prizes.js';
import type * as referenceTypes from './types/reference.js';
import type * as refundTypes from './types/refund.js';
import type * as serviceTypes from './types/service.js';
import type * as sharedTypes from './types/shared.js';
import type * as supportTypes from './types/support.js';
import type * as tokensTypes from './types/tokens.js';
import type * as tradingWalletTypes from './types/trading-wallet.js';
import type * as transactionsTypes from './types/transactions.js';
import type * as vmTransactionsTypes from './types/vm-transactions.js';
import type * as walletsTypes from './types/wallets.js';
import type * as webhooksTypes from './types/webhooks.js';
import type * as xchainTypes from './types/xchain.js';

export interface paths extends accountTypes.paths, authTypes.paths, bitcoinTypes.paths, credentialsTypes.paths, downloadHistoriesTypes.paths, eventsTypes.paths, mediasTypes.paths, perpVenueTypes.paths, prizesTypes.paths, referenceTypes.paths, refundTypes.paths, serviceTypes.paths, supportTypes.paths, tokensTypes.paths, tradingWalletTypes.paths, transactionsTypes.paths, vmTransactionsTypes.paths, walletsTypes.paths, webhooksTypes.paths, xchainTypes.paths {}
export interface webhooks extends webhooksTypes.webhooks {}
export interface operations extends accountTypes.operations, authTypes.operations, bitcoinTypes.operations, credentialsTypes.operations, downloadHistoriesTypes.operations, eventsTypes.operations, mediasTypes.operations, perpVenueTypes.operations, prizesTypes.operations, referenceTypes.operations, refundTypes.operations, serviceTypes.operations, supportTypes.operations, tokensTypes.operations, tradingWalletTypes.operations, transactionsTypes.operations, vmTransactionsTypes.operations, walletsTypes.operations, webhooksTypes.operations, xchainTypes.operations {}
export interface schemas extends accountTypes.schemas, authTypes.schemas, bitcoinTypes.schemas, credentialsTypes.schemas, downloadHistoriesTypes.schemas, errorsTypes.schemas, eventsTypes.schemas, mediasTypes.schemas, perpVenueTypes.schemas, prizesTypes.schemas, referenceTypes.schemas, refundTypes.schemas, serviceTypes.schemas, sharedTypes.schemas, supportTypes.schemas, tokensTypes.schemas, tradingWalletTypes.schemas, transactionsTypes.schemas, vmTransactionsTypes.schemas, walletsTypes.schemas, webhooksTypes.schemas, xchainTypes.schemas {}
export interface components {
    schemas: schemas;
    responses: errorsTypes.responses;
    headers: sharedTypes.headers;
}
