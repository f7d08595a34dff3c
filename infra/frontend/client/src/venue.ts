/**
 * The perpetuals venue, Hyperliquid: the service creates transactions and actions, this package checks
 * them, and the wallet signs them. Requires `viem` and `@nktkas/hyperliquid`.
 *
 * @packageDocumentation
 */

import { ApproveBuilderFeeTypes, SendAssetTypes } from '@nktkas/hyperliquid/api/exchange';
import { type AbstractWallet, type Signature, signL1Action, signUserSignedAction } from '@nktkas/hyperliquid/signing';
import {
  type Account, type Chain, createPublicClient, defineChain, encodeFunctionData, type Hash, type Hex, http, isAddressEqual, parseAbi,
  type TransactionReceipt, type Transport, type WalletClient,
} from 'viem';

import { type Api, call, type CallOptions, type Schemas } from './api.js';
import { clientError, RuneportError } from './error.js';
import { notify } from './exchange.js';
import { amountError, parseUnits } from './units.js';
import { dropUndefined } from './wallets.js';

/** The status of a wallet at the venue. */
export type VenueStatus = Schemas['VenueStatus'];

/** What the user should know before signing: `{gates, warnings, checks?}`. */
export type VenueMetaData = Schemas['MetaDataWith_VenueMetaData'];
/** What accompanies the status of a wallet, which has its gates itself: `{checks, warnings}`. */
export type VenueStatusMetaData = Schemas['MetaDataWith_VenueStatusMetaData'];

/** The two transactions of a deposit on the venue's EVM chain, with their amount and contracts. */
export type VenueDeposit = Schemas['Deposit'];

/** A network of the venue. */
export type VenueChain = Schemas['VenueChain'];

/** A signer of typed data: a viem account or wallet client, or an ethers signer. */
export type VenueWallet = AbstractWallet;

/** The JSON body for the venue's exchange endpoint. */
export interface VenueRequest {
  readonly action: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch; usable once. */
  readonly nonce: number;
  readonly signature: Signature;
}

/** A signed request, with the service's metadata. */
export interface SignedVenueAction {
  /** Post it unchanged to the venue's exchange endpoint. */
  readonly body: VenueRequest;
  readonly metaData: VenueMetaData;
}

/** Options of the functions that sign a venue action. */
export interface VenueOptions extends Pick<CallOptions, 'signal'> {
  /** The nonce of the request; default: the current time. */
  readonly nonce?: number | undefined;
}

/** An amount of USDC and its wallet. */
export interface VenueTransfer {
  /** The EVM wallet that signs. */
  readonly userAddress: string;
  /** A positive decimal with at most 6 decimals, as `parseUnits` reads it: `12.5`. */
  readonly amount: string;
}

/** The contracts of the venue on its EVM chain. */
export interface VenueDeployment {
  readonly usdcToken: string;
  /** Circle's `CoreDepositWallet`. */
  readonly depositContract: string;
}

/** The contracts that the venue and Circle publish, by EVM chain id: 999 for Mainnet, 998 for Testnet. */
export const VENUE_DEPLOYMENTS: Readonly<Record<number, VenueDeployment>> = {
  999: {
    usdcToken: '0xb88339CB7199b77E23DB6E890353E22632Ba630f',
    depositContract: '0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24',
  },
  998: {
    usdcToken: '0x2B3370eE501B4a559b57D449569354196457D8Ab',
    depositContract: '0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206',
  },
};

/** The name of USDC in the venue's actions. */
const USDC: Readonly<Record<VenueChain, string>> = {
  Mainnet: 'USDC:0x6d1e7cde53ba9467b783cb7c530ce054',
  Testnet: 'USDC:0xeb62eee3685fc4c43992febcd9e75443',
};

/** The chain and contracts that a deposit may use. */
export type DepositPlace =
  | {
      /** The id of the EVM chain; by default, any chain of {@link VENUE_DEPLOYMENTS}. */
      readonly chainId?: number | undefined;
      readonly deployment?: undefined;
    }
  | {
      readonly chainId: number;
      /** Replaces the chain's entry in {@link VENUE_DEPLOYMENTS}. */
      readonly deployment: VenueDeployment;
    };

const USDC_DECIMALS = 6;
/** USDC's system address at the venue. A transfer to it withdraws to the sender's own EVM address. */
const SYSTEM_ADDRESS = '0x2000000000000000000000000000000000000000';
/** The `destinationDex` of the perpetuals balance. */
const PERPS = 0;
/** A fixed gas limit, because the deposit's gas cannot be estimated before the approval is mined. */
const DEPOSIT_GAS = 300_000n;

const abi = /* @__PURE__ */ parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function deposit(uint256 amount, uint32 destinationDex)',
]);

/**
 * Reads the status of an EVM wallet at the venue.
 *
 * @example
 * const { status, metaData } = await venueStatus(api, userAddress);
 */
export async function venueStatus(
  api: Api,
  userAddress: string,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<{ status: VenueStatus; metaData: VenueStatusMetaData }> {
  const answer = await call(api, 'get', '/api/perp-venue/status', { ...options, params: { query: { userAddress } } });
  return { status: answer.data, metaData: answer.metaData };
}

/**
 * Requests the two transactions of a deposit and checks them.
 *
 * @throws {@link RuneportError} `client.amountInvalid`, `perpVenue.insufficientUsdc`, `perpVenue.paused`,
 *   `client.venueActionRefused`, …
 *
 * @example
 * const { deposit } = await createDeposit(api, { userAddress, amount: '10.5' }, { chainId: 999 });
 */
export async function createDeposit(
  api: Api,
  { userAddress, amount }: VenueTransfer,
  { signal, ...place }: Pick<CallOptions, 'signal'> & DepositPlace = {},
): Promise<{ deposit: VenueDeposit; metaData: VenueMetaData }> {
  positiveUnits(amount);
  const { data, metaData } = await call(api, 'post', '/api/perp-venue/deposit', { signal, body: { userAddress, amount } });
  checkDeposit(data, { userAddress, amount }, place);
  return { deposit: data, metaData };
}

/**
 * Checks that the transactions of a deposit approve exactly this amount of the venue's USDC for the venue's
 * deposit contract, and deposit it there.
 *
 * @param place The chain, if the app knows it, and the contracts, if they are not the published ones.
 * @throws {@link RuneportError} `client.venueActionRefused`.
 *
 * @example
 * const { data: deposit } = await call(api, 'post', '/api/perp-venue/deposit', { body: { userAddress, amount: '10.5' } });
 * checkDeposit(deposit, { userAddress, amount: '10.5' }, { chainId: 999 });
 */
export function checkDeposit(
  deposit: VenueDeposit,
  { userAddress, amount }: VenueTransfer,
  { chainId, deployment }: DepositPlace = {},
): void {
  const [approval, transfer, ...others] = deposit.txs;
  if (!approval || !transfer || others.length > 0) throw refused('The deposit does not have exactly two transactions.');
  if (deployment && chainId === undefined) throw refused('Pass chainId together with deployment.');
  const chain = chainId ?? approval.chainId;
  const place = deployment ?? VENUE_DEPLOYMENTS[chain];
  const isThere =
    place !== undefined && approval.chainId === chain && transfer.chainId === chain &&
    sameAddress(deposit.usdcToken, place.usdcToken) && sameAddress(deposit.depositContract, place.depositContract);
  if (!isThere) {
    throw refused(`${deposit.usdcToken} and ${deposit.depositContract} are not the venue's contracts on chain ${approval.chainId}.`);
  }
  const units = positiveUnits(amount);
  // Compare bytes: decoding would ignore extra data after the arguments.
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [asHex(deposit.depositContract), units] });
  const pay = encodeFunctionData({ abi, functionName: 'deposit', args: [units, PERPS] });
  const isRight =
    sameAddress(deposit.from, userAddress) &&
    sameAddress(approval.to, deposit.usdcToken) && approval.data === approve && BigInt(approval.value) === 0n &&
    sameAddress(transfer.to, deposit.depositContract) && transfer.data === pay && BigInt(transfer.value) === 0n &&
    statedUnits(deposit.amount) === units;
  if (!isRight) throw refused(`The transactions are not a deposit of ${amount} USDC by ${userAddress}.`);
}

/** The hashes of a deposit's transactions that were sent. */
export interface DepositHashes {
  readonly approvalHash: Hash;
  readonly depositHash?: Hash | undefined;
}

/** Options of {@link sendDeposit}. */
export interface SendDepositOptions extends Pick<CallOptions, 'signal'> {
  /** Milliseconds between two polls of the chain. */
  readonly pollingInterval?: number | undefined;
  /**
   * Called after the approval was sent, and again after the deposit was sent. If sending stops in between,
   * the contract keeps its allowance until the deposit is sent ({@link resume}) or the user approves 0.
   */
  readonly onSent?: ((sent: DepositHashes) => void) | undefined;
  /** The hashes that {@link onSent} received earlier for this deposit. These transactions are not sent again. */
  readonly resume?: DepositHashes | undefined;
}

/** A mined deposit. */
export interface SentDeposit {
  readonly approvalHash: Hash;
  readonly depositHash: Hash;
  /** The receipt of the deposit transaction. */
  readonly receipt: TransactionReceipt;
}

/**
 * Checks a deposit like {@link checkDeposit}, then signs and broadcasts the approval and, once that is mined,
 * the deposit. An abort stops the wait, but does not undo transactions that were already sent.
 *
 * @param wallet A viem wallet client with the account `deposit.from` on the deposit's chain. For a local
 *   account, its transport must use `deposit.rpcUrl`. Switch a browser wallet to the chain first
 *   ({@link venueEvmChain}).
 * @param deposit The result of {@link createDeposit}.
 * @throws {@link RuneportError} `client.venueActionRefused`, `client.walletRefused`, `client.depositFailed`.
 *
 * @example
 * const { deposit } = await createDeposit(api, { userAddress, amount: '10.5' }, { chainId: 999 });
 * const { depositHash } = await sendDeposit(walletClient, deposit, { chainId: 999, onSent });
 */
export async function sendDeposit(
  wallet: WalletClient<Transport, Chain | undefined, Account>,
  deposit: VenueDeposit,
  { signal, pollingInterval, onSent, resume, ...place }: SendDepositOptions & DepositPlace = {},
): Promise<SentDeposit> {
  checkDeposit(deposit, { userAddress: wallet.account.address, amount: deposit.amount }, place);
  const [approval, transfer] = deposit.txs;
  if (!approval || !transfer) throw refused('The deposit does not have exactly two transactions.');
  const chain = venueEvmChain(deposit);
  const { account } = wallet;
  const client = createPublicClient({ chain, transport: http(deposit.rpcUrl), ...dropUndefined({ pollingInterval }) });

  const send = async (name: string, tx: Schemas['EvmTransaction'], gas?: bigint): Promise<Hash> => {
    signal?.throwIfAborted();
    try {
      return await wallet.sendTransaction({ account, chain, ...depositRequest(tx), ...dropUndefined({ gas }) });
    } catch (error) {
      throw clientError('client.walletRefused', `The wallet did not send the ${name}. Confirm it in your wallet.`, error);
    }
  };
  const mined = async (name: string, hash: Hash): Promise<TransactionReceipt> => {
    let receipt: TransactionReceipt;
    try {
      receipt = await client.waitForTransactionReceipt({ hash, ...dropUndefined({ signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw clientError('client.depositFailed', `The ${name} ${hash} is not mined yet. Resume the deposit later.`, error);
    }
    if (receipt.status !== 'success') throw clientError('client.depositFailed', `The ${name} ${hash} was reverted.`);
    return receipt;
  };
  const approvalHash = resume?.approvalHash ?? (await send('approval', approval));
  notify(onSent, { approvalHash });
  await mined('approval', approvalHash);
  const depositHash = resume?.depositHash ?? (await send('deposit', transfer, DEPOSIT_GAS));
  notify(onSent, { approvalHash, depositHash });
  return { approvalHash, depositHash, receipt: await mined('deposit', depositHash) };
}

/**
 * A transaction of a deposit as viem sends it. Its local accounts encode zero wrongly if `value` is a text.
 *
 * @example
 * const { deposit } = await createDeposit(api, { userAddress, amount: '10.5' }, { chainId: 999 });
 * const chain = venueEvmChain(deposit);
 * for (const tx of deposit.txs) await walletClient.sendTransaction({ chain, account: walletClient.account, ...depositRequest(tx) });
 */
export function depositRequest({ to, data, value }: Schemas['EvmTransaction']): { to: Hex; data: Hex; value: bigint } {
  return { to: asHex(to), data: asHex(data), value: BigInt(value) };
}

/**
 * The EVM chain of a deposit, as a viem chain.
 *
 * @example
 * const { deposit } = await createDeposit(api, { userAddress, amount: '10.5' }, { chainId: 999 });
 * await walletClient.addChain({ chain: venueEvmChain(deposit) });
 */
export function venueEvmChain({ txs: [tx], rpcUrl }: VenueDeposit): Chain {
  if (!tx) throw refused('The deposit has no transactions.');
  return defineChain({
    id: tx.chainId,
    name: 'HyperEVM',
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}

/**
 * Sets the service's referral code at the venue.
 *
 * @param venueChain The deployment's network; by default, this function requests it from the service.
 * @returns `body` is null if the deployment has no code, or the wallet already has a referrer.
 * @throws {@link RuneportError} `perpVenue.contractWallet`, `client.venueActionRefused`,
 *   `client.walletRefused`, …
 *
 * @example
 * const { body } = await setReferrer(api, viemAccount, { userAddress });
 * if (body) await fetch(`${venue}/exchange`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
 */
export async function setReferrer(
  api: Api,
  wallet: VenueWallet,
  { userAddress, venueChain }: { readonly userAddress: string; readonly venueChain?: VenueChain },
  { nonce = Date.now(), signal }: VenueOptions = {},
): Promise<SignedVenueAction | { body: null; metaData: VenueMetaData }> {
  const { data, metaData } = await call(api, 'post', '/api/perp-venue/referral', { body: { userAddress }, signal });
  if (!data) return { body: null, metaData };
  const { action } = data;
  if (action.type !== 'setReferrer' || Object.keys(action).join() !== 'type,code') throw refused('The action is not a referral.');
  const network =
    venueChain ?? (await call(api, 'post', '/api/perp-venue/builder-fee-approval', { body: {}, signal })).data.action.venueChain;
  // The signature of an L1 action depends on the order of its keys.
  const signature = await requestSignature(() => signL1Action({ wallet, action, nonce, isTestnet: network === 'Testnet' }));
  return { body: { action, nonce, signature }, metaData };
}

/**
 * Approves the service's builder fee at the venue. The venue allows this only after the wallet's first
 * deposit.
 *
 * @param mostFeeRate The highest rate to approve, such as `0.1%` (the default, and the venue's own limit).
 * @throws {@link RuneportError} `perpVenue.contractWallet`, `client.venueActionRefused`,
 *   `client.walletRefused`, …
 *
 * @example
 * const { body } = await approveBuilderFee(api, viemAccount, { mostFeeRate: '0.05%' });
 */
export async function approveBuilderFee(
  api: Api,
  wallet: VenueWallet,
  { userAddress, mostFeeRate = '0.1%' }: { readonly userAddress?: string | undefined; readonly mostFeeRate?: string } = {},
  { nonce = Date.now(), signal }: VenueOptions = {},
): Promise<SignedVenueAction> {
  const most = rateOf(mostFeeRate);
  if (most === undefined) throw amountError('Write "mostFeeRate" as a percentage with a point for decimals, such as 0.1%.');
  const body = dropUndefined({ userAddress });
  const { data, metaData } = await call(api, 'post', '/api/perp-venue/builder-fee-approval', { body, signal });
  const { action } = data;
  const rate = rateOf(action.maxFeeRate);
  if (action.type !== 'approveBuilderFee' || rate === undefined || rate > most) {
    throw refused(`The action approves a fee of ${action.maxFeeRate}; the limit is ${mostFeeRate}.`);
  }
  return { body: await signUserAction(wallet, action, ApproveBuilderFeeTypes, nonce), metaData };
}

/** Input of {@link withdrawFromVenue}. */
export interface VenueWithdrawal extends VenueTransfer {
  /** The network to withdraw from; default: Mainnet. */
  readonly venueChain?: VenueChain | undefined;
  /** The name of USDC in that network's actions, if it is not the published one. */
  readonly usdcToken?: string | undefined;
}

/**
 * Withdraws USDC from the venue to the wallet's own address on the venue's EVM chain.
 *
 * @throws {@link RuneportError} `client.amountInvalid`, `perpVenue.insufficientVenueBalance`, `perpVenue.paused`,
 *   `client.venueActionRefused`, `client.walletRefused`, …
 *
 * @example
 * const { body } = await withdrawFromVenue(api, viemAccount, { userAddress, amount: '2.5' });
 */
export async function withdrawFromVenue(
  api: Api,
  wallet: VenueWallet,
  { userAddress, amount, venueChain = 'Mainnet', usdcToken = USDC[venueChain] }: VenueWithdrawal,
  { nonce = Date.now(), signal }: VenueOptions = {},
): Promise<SignedVenueAction> {
  const units = positiveUnits(amount);
  const { data, metaData } = await call(api, 'post', '/api/perp-venue/withdraw', { body: { userAddress, amount }, signal });
  const { action } = data;
  const isRight =
    action.type === 'sendAsset' && action.venueChain === venueChain && sameAddress(action.destination, SYSTEM_ADDRESS) &&
    // From the perpetuals balance, or from the balance of a unified account.
    (action.sourceDex === '' || action.sourceDex === 'spot') && action.destinationDex === 'spot' &&
    action.fromSubAccount === '' && action.token === usdcToken && statedUnits(action.amount) === units;
  if (!isRight) throw refused(`The action is not a withdrawal of ${amount} USDC to the wallet's own address on ${venueChain}.`);
  return { body: await signUserAction(wallet, action, SendAssetTypes, nonce), metaData };
}

/** A user-signed action of the venue. */
export type UserAction = Schemas['ApproveBuilderFeeAction'] | Schemas['SendAssetAction'];
type UserActionTypes = Parameters<typeof signUserSignedAction>[0]['types'];

/**
 * A builder-fee approval or a withdrawal as the venue's SDKs sign and post it: `venueChain` has the venue's own name,
 * `hyperliquidChain`, and the nonce is part of the action.
 *
 * @example
 * const { data } = await call(api, 'post', '/api/perp-venue/builder-fee-approval', { body: {} });
 * const action = venueAction(data.action, Date.now());
 */
export function venueAction<A extends UserAction>(
  { venueChain, ...rest }: A,
  nonce: number,
): Omit<A, 'venueChain'> & { signatureChainId: Hex; hyperliquidChain: VenueChain; nonce: number } {
  return { ...rest, signatureChainId: asHex(rest.signatureChainId), hyperliquidChain: venueChain, nonce };
}

/** Signs an action with EIP-712, in the venue's format. */
async function signUserAction(
  wallet: VenueWallet,
  asked: UserAction,
  types: UserActionTypes,
  nonce: number,
): Promise<VenueRequest> {
  const action = venueAction(asked, nonce);
  const signature = await requestSignature(() => signUserSignedAction({ wallet, action, types }));
  return { action, nonce, signature };
}

async function requestSignature(sign: () => Promise<Signature>): Promise<Signature> {
  try {
    return await sign();
  } catch (error) {
    throw clientError('client.walletRefused', 'The wallet did not sign the action. Confirm the signature in your wallet.', error);
  }
}

/** The caller's amount of USDC in its smallest unit. */
function positiveUnits(amount: string): bigint {
  const units = parseUnits(amount, USDC_DECIMALS);
  if (units === 0n) throw amountError('Enter an amount above zero.');
  return units;
}

/** An amount of USDC that the service states, in its smallest unit. */
function statedUnits(amount: string): bigint {
  try {
    return parseUnits(amount, USDC_DECIMALS);
  } catch (error) {
    throw clientError('client.venueActionRefused', `"${amount}" is not an amount of USDC with at most 6 decimals.`, error);
  }
}

/** A percentage such as `0.1%`, exactly. */
function rateOf(percentage: string): bigint | undefined {
  const [, rate = ''] = /^(\d{1,3}(?:\.\d{1,12})?)%$/.exec(percentage) ?? [];
  return rate === '' ? undefined : parseUnits(rate, 12);
}

/** Checks that text from the service is hex. */
function asHex(text: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]*$/.test(text)) throw refused(`"${text}" is not hex.`);
  return text as `0x${string}`;
}

function sameAddress(a: string, b: string): boolean {
  try {
    return isAddressEqual(asHex(a), asHex(b));
  } catch {
    return false;
  }
}

function refused(why: string): RuneportError {
  return clientError('client.venueActionRefused', why);
}
