/**
 * The perpetuals venue, Hyperliquid: the service makes what is to be signed, this package checks it,
 * the wallet signs it. Needs `viem` and `@nktkas/hyperliquid`.
 *
 * @packageDocumentation
 */

import { ApproveBuilderFeeTypes, SendAssetTypes } from '@nktkas/hyperliquid/api/exchange';
import { type AbstractWallet, type Signature, signL1Action, signUserSignedAction } from '@nktkas/hyperliquid/signing';
import {
  type Account, type Chain, createPublicClient, defineChain, encodeFunctionData, type Hash, http, isAddressEqual, parseAbi,
  parseUnits, type TransactionReceipt, type Transport, type WalletClient,
} from 'viem';

import { type Api, call, type CallOptions, type Schemas, tell } from './api.js';
import { clientError, RuneportError } from './error.js';
import { given } from './wallets.js';

/** Where a wallet stands at the venue. */
export type VenueStatus = Schemas['VenueStatus'];

/** What the wallet should know before it signs: `{gates, warnings, checks?}`. */
export type VenueMetaData = Schemas['VenueMetaData'];

/** Two transactions on the venue's EVM chain, and what they are about. */
export type Deposit = Schemas['Deposit'];

/** A network of the venue. */
export type VenueChain = Schemas['VenueChain'];

/** Signs typed data: an account or a wallet client of viem, or a signer of ethers. */
export type VenueWallet = AbstractWallet;

/** What the venue's exchange endpoint takes, as JSON. */
export interface VenueRequest {
  readonly action: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch; good once. */
  readonly nonce: number;
  readonly signature: Signature;
}

/** A signed request, and what the service said of it. */
export interface SignedVenueAction {
  /** To be posted to the venue's exchange endpoint as it is. */
  readonly body: VenueRequest;
  readonly metaData: VenueMetaData;
}

/** What each flow takes. */
export interface VenueOptions extends Pick<CallOptions, 'signal'> {
  /** Of the request: the time, unless given. */
  readonly nonce?: number | undefined;
}

/** An amount of USDC, and the wallet that it is of. */
export interface VenueTransfer {
  /** An EVM wallet of the account's own. */
  readonly userAddress: string;
  /** Decimal, with at most 6 decimals. */
  readonly amount: string;
}

/** The contracts of the venue on its EVM chain. */
export interface VenueDeployment {
  /** USDC. */
  readonly usdcToken: string;
  /** Circle's `CoreDepositWallet`. */
  readonly depositContract: string;
}

/** What the venue and Circle publish, by the id of the EVM chain: 999 is the Mainnet's, 998 the Testnet's. */
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

/** USDC as the venue's actions name it. */
const USDC: Readonly<Record<VenueChain, string>> = {
  Mainnet: 'USDC:0x6d1e7cde53ba9467b783cb7c530ce054',
  Testnet: 'USDC:0xeb62eee3685fc4c43992febcd9e75443',
};

/** Where a deposit may go. */
export type DepositPlace =
  | {
      /** The id of the EVM chain; any of {@link VENUE_DEPLOYMENTS} unless given. */
      readonly chainId?: number | undefined;
      readonly deployment?: undefined;
    }
  | {
      readonly chainId: number;
      /** Instead of what {@link VENUE_DEPLOYMENTS} says of the chain. */
      readonly deployment: VenueDeployment;
    };

const USDC_DECIMALS = 6;
/** USDC's own address at the venue, by which the sender withdraws to its own EVM address. */
const SYSTEM_ADDRESS = '0x2000000000000000000000000000000000000000';
/** The index of perpetuals, of the places that a deposit can go to. */
const PERPS = 0;
/** The gas of a deposit, which cannot be estimated before the approval is mined. */
const DEPOSIT_GAS = 300_000n;

const abi = /* @__PURE__ */ parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function deposit(uint256 amount, uint32 destinationDex)',
]);

/** Where a wallet of the account's own stands at the venue. */
export async function venueStatus(
  api: Api,
  userAddress: string,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<{ status: VenueStatus; metaData: VenueMetaData }> {
  const answer = await call(api, 'get', '/api/perp-venue/status', { ...options, params: { query: { userAddress } } });
  return { status: answer.data, metaData: answer.metaData };
}

/**
 * Asks for the two transactions of a deposit, and makes sure of them.
 *
 * @throws {@link RuneportError} `perpVenue.insufficientUsdc`, `perpVenue.paused`,
 *   `client.venueActionRefused`, …
 */
export async function createDeposit(
  api: Api,
  { userAddress, amount }: VenueTransfer,
  { signal, ...place }: Pick<CallOptions, 'signal'> & DepositPlace = {},
): Promise<{ deposit: Deposit; metaData: VenueMetaData }> {
  const { data, metaData } = await call(api, 'post', '/api/perp-venue/deposit', { signal, body: { userAddress, amount } });
  checkDeposit(data, { userAddress, amount }, place);
  return { deposit: data, metaData };
}

/**
 * Makes sure that the transactions of a deposit approve exactly the amount of the venue's own USDC to its
 * own deposit contract, and deposit it there.
 *
 * @param place The chain, where the app knows it; and the contracts, where they are not those that are
 *   published of it.
 *
 * @throws {@link RuneportError} `client.venueActionRefused`.
 */
export function checkDeposit(
  deposit: Deposit,
  { userAddress, amount }: VenueTransfer,
  { chainId, deployment }: DepositPlace = {},
): void {
  const [approval, transfer, ...others] = deposit.txs;
  if (!approval || !transfer || others.length > 0) throw refused('a deposit of other than two transactions');
  if (deployment && chainId === undefined) throw refused('contracts of one\'s own are on a chain of one\'s own: chainId');
  const chain = chainId ?? approval.chainId;
  const place = deployment ?? VENUE_DEPLOYMENTS[chain];
  const isThere =
    place !== undefined && approval.chainId === chain && transfer.chainId === chain &&
    sameAddress(deposit.usdcToken, place.usdcToken) && sameAddress(deposit.depositContract, place.depositContract);
  if (!isThere) {
    throw refused(`${deposit.usdcToken} and ${deposit.depositContract} are not the venue's on chain ${approval.chainId}`);
  }
  const units = unitsOf(amount);
  // Compared as bytes: what stands behind the arguments would decode as well.
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [asHex(deposit.depositContract), units] });
  const pay = encodeFunctionData({ abi, functionName: 'deposit', args: [units, PERPS] });
  const isRight =
    sameAddress(deposit.from, userAddress) &&
    sameAddress(approval.to, deposit.usdcToken) && approval.data === approve && BigInt(approval.value) === 0n &&
    sameAddress(transfer.to, deposit.depositContract) && transfer.data === pay && BigInt(transfer.value) === 0n &&
    unitsOf(deposit.amount) === units;
  if (!isRight) throw refused(`the transactions are not a deposit of ${amount} USDC by ${userAddress}`);
}

/** The transactions of a deposit that were sent. */
export interface DepositHashes {
  readonly approvalHash: Hash;
  readonly depositHash?: Hash | undefined;
}

/** How a deposit is sent. */
export interface SendDepositOptions extends Pick<CallOptions, 'signal'> {
  /** Milliseconds between two looks at the chain. */
  readonly pollingInterval?: number | undefined;
  /**
   * Is told once the approval was sent, and once the deposit was. Where it ends between the two, the
   * contract may take the amount until the deposit is sent ({@link resume}), or `approve` says 0.
   */
  readonly onSent?: ((sent: DepositHashes) => void) | undefined;
  /** What was sent of this deposit before, and is not sent again: of {@link onSent}. */
  readonly resume?: DepositHashes | undefined;
}

/** What became of a deposit. */
export interface SentDeposit {
  readonly approvalHash: Hash;
  readonly depositHash: Hash;
  /** Of the deposit. */
  readonly receipt: TransactionReceipt;
}

/**
 * Makes sure of a deposit as {@link checkDeposit} does, signs and broadcasts it: the approval, and once
 * that is mined, the deposit. An abort ends the wait; what was sent stays sent.
 *
 * @param wallet A wallet client of viem with the account `deposit.from`, on the chain of the deposit:
 *   with an account of its own, its transport leads to `deposit.rpcUrl`; a browser's wallet has to be
 *   switched there before ({@link venueEvmChain}).
 * @param deposit Of {@link createDeposit}.
 * @throws {@link RuneportError} `client.venueActionRefused`, `client.walletRefused`, `client.depositFailed`.
 */
export async function sendDeposit(
  wallet: WalletClient<Transport, Chain | undefined, Account>,
  deposit: Deposit,
  { signal, pollingInterval, onSent, resume, ...place }: SendDepositOptions & DepositPlace = {},
): Promise<SentDeposit> {
  checkDeposit(deposit, { userAddress: wallet.account.address, amount: deposit.amount }, place);
  const [approval, transfer] = deposit.txs;
  if (!approval || !transfer) throw refused('a deposit of other than two transactions');
  const chain = venueEvmChain(deposit);
  const { account } = wallet;
  const client = createPublicClient({ chain, transport: http(deposit.rpcUrl), ...given({ pollingInterval }) });

  const send = async (name: string, { to, data }: Schemas['EvmTransaction'], gas?: bigint): Promise<Hash> => {
    signal?.throwIfAborted();
    try {
      return await wallet.sendTransaction({ account, chain, to: asHex(to), data: asHex(data), value: 0n, ...given({ gas }) });
    } catch (error) {
      throw clientError('client.walletRefused', `the ${name} was not sent`, error);
    }
  };
  const mined = async (name: string, hash: Hash): Promise<TransactionReceipt> => {
    let receipt: TransactionReceipt;
    try {
      receipt = await client.waitForTransactionReceipt({ hash, ...given({ signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw clientError('client.depositFailed', `the ${name} ${hash} is not mined yet`, error);
    }
    if (receipt.status !== 'success') throw clientError('client.depositFailed', `the ${name} ${hash} was reverted`);
    return receipt;
  };
  const approvalHash = resume?.approvalHash ?? (await send('approval', approval));
  tell(onSent, { approvalHash });
  await mined('approval', approvalHash);
  const depositHash = resume?.depositHash ?? (await send('deposit', transfer, DEPOSIT_GAS));
  tell(onSent, { approvalHash, depositHash });
  return { approvalHash, depositHash, receipt: await mined('deposit', depositHash) };
}

/** The EVM chain of a deposit, as viem takes it. */
export function venueEvmChain({ txs: [tx], rpcUrl }: Deposit): Chain {
  if (!tx) throw refused('a deposit of no transaction');
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
 * @param venueChain Of the deployment; asked of the service unless given.
 * @returns Nothing to post where the deployment has no code, or the wallet has a referrer already.
 * @throws {@link RuneportError} `perpVenue.contractWallet`, `client.venueActionRefused`,
 *   `client.walletRefused`, …
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
  if (action.type !== 'setReferrer' || Object.keys(action).join() !== 'type,code') throw refused('the action is no referral');
  const network = venueChain ?? (await call(api, 'post', '/api/perp-venue/builder-fee-approval', { body: {}, signal })).data.action.venueChain;
  // An L1 action: the order of its keys counts.
  const signature = await asked(() => signL1Action({ wallet, action, nonce, isTestnet: network === 'Testnet' }));
  return { body: { action, nonce, signature }, metaData };
}

/**
 * Approves the service's builder fee at the venue, which lets a wallet do that after its first deposit.
 *
 * @param mostFeeRate The most that the wallet approves, such as `0.1%`, which is the venue's own limit.
 * @throws {@link RuneportError} `perpVenue.contractWallet`, `client.venueActionRefused`,
 *   `client.walletRefused`, …
 */
export async function approveBuilderFee(
  api: Api,
  wallet: VenueWallet,
  { userAddress, mostFeeRate = '0.1%' }: { readonly userAddress?: string | undefined; readonly mostFeeRate?: string } = {},
  { nonce = Date.now(), signal }: VenueOptions = {},
): Promise<SignedVenueAction> {
  const body = given({ userAddress });
  const { data, metaData } = await call(api, 'post', '/api/perp-venue/builder-fee-approval', { body, signal });
  const { action } = data;
  const isRate = /^\d+(\.\d+)?%$/.test(action.maxFeeRate);
  const rate = Number.parseFloat(action.maxFeeRate);
  if (action.type !== 'approveBuilderFee' || !isRate || !(rate <= Number.parseFloat(mostFeeRate))) {
    throw refused(`the action approves ${action.maxFeeRate}`);
  }
  return { body: await userSigned(wallet, action, ApproveBuilderFeeTypes, nonce), metaData };
}

/** What {@link withdrawFromVenue} takes. */
export interface VenueWithdrawal extends VenueTransfer {
  /** The network that it is of; Mainnet, where money is, unless given. */
  readonly venueChain?: VenueChain | undefined;
  /** USDC as that network's actions name it, where that is not what is published of it. */
  readonly usdcToken?: string | undefined;
}

/**
 * Withdraws USDC from the venue to the wallet's own address on the venue's EVM chain.
 *
 * @throws {@link RuneportError} `perpVenue.insufficientVenueBalance`, `perpVenue.paused`,
 *   `client.venueActionRefused`, `client.walletRefused`, …
 */
export async function withdrawFromVenue(
  api: Api,
  wallet: VenueWallet,
  { userAddress, amount, venueChain = 'Mainnet', usdcToken = USDC[venueChain] }: VenueWithdrawal,
  { nonce = Date.now(), signal }: VenueOptions = {},
): Promise<SignedVenueAction> {
  const { data, metaData } = await call(api, 'post', '/api/perp-venue/withdraw', { body: { userAddress, amount }, signal });
  const { action } = data;
  const isRight =
    action.type === 'sendAsset' && action.venueChain === venueChain && sameAddress(action.destination, SYSTEM_ADDRESS) &&
    // From the perpetuals' balance, or from that of a unified account.
    (action.sourceDex === '' || action.sourceDex === 'spot') && action.destinationDex === 'spot' &&
    action.fromSubAccount === '' && action.token === usdcToken && unitsOf(action.amount) === unitsOf(amount);
  if (!isRight) throw refused(`the action is not a withdrawal of ${amount} USDC to the wallet's own address on ${venueChain}`);
  return { body: await userSigned(wallet, action, SendAssetTypes, nonce), metaData };
}

type UserAction = Schemas['ApproveBuilderFeeAction'] | Schemas['SendAssetAction'];
type UserActionTypes = Parameters<typeof signUserSignedAction>[0]['types'];

/** Signs an action by EIP-712, in the form that the venue takes. */
async function userSigned(
  wallet: VenueWallet,
  { venueChain, ...rest }: UserAction,
  types: UserActionTypes,
  nonce: number,
): Promise<VenueRequest> {
  // The venue's own name for its network; and the nonce is part of what is signed.
  const action = { ...rest, signatureChainId: asHex(rest.signatureChainId), hyperliquidChain: venueChain, nonce };
  const signature = await asked(() => signUserSignedAction({ wallet, action, types }));
  return { action, nonce, signature };
}

async function asked(sign: () => Promise<Signature>): Promise<Signature> {
  try {
    return await sign();
  } catch (error) {
    throw clientError('client.walletRefused', 'the wallet did not sign the action', error);
  }
}

/** USDC in its smallest units. viem would round what has more decimals. */
function unitsOf(amount: string): bigint {
  if (!/^\d+(\.\d{1,6})?$/.test(amount)) throw refused(`${amount} is no amount of USDC`);
  return parseUnits(amount, USDC_DECIMALS);
}

/** What the service says is hex, by its schema. */
function asHex(text: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]*$/.test(text)) throw refused(`${text} is no hex`);
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
