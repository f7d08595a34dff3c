import type { FunctionComponent } from 'preact';

import { flowsKept } from '../stores/flows.ts';
import type { Panel } from './panel.ts';

/** All panels, in the order of the navigation. */
const panels: readonly Panel[] = [
  {
    id: 'start',
    title: 'Start',
    heading: 'Try all of Runeport here',
    summary:
      'The whole service runs on this machine, including the chain. Each panel makes real calls. The inspector next to it shows every call with its response, as curl and as code.',
    icon: 'start',
    group: 'Begin',
  },
  {
    id: 'access',
    title: 'Sign up & in',
    summary: 'With a password that is never sent, a passkey, or a wallet’s signature. If the second factor is on, each way requires a code.',
    icon: 'key',
    group: 'Begin',
  },
  {
    id: 'security',
    title: 'Security',
    summary: 'Second factor, passkeys, sessions, addresses, e-mail, password. Changing a credential ends all other sessions and sends an e-mail to the verified address.',
    icon: 'shield',
    sections: {
      'second-factor': 'Second factor', passkeys: 'Passkeys', sessions: 'Sessions',
      'linked-addresses': 'Linked addresses', 'e-mail': 'E-mail address', password: 'Password',
      'sign-in-wallet': 'Sign-in wallet', activity: 'Activity',
    },
    group: 'Account',
    needsAccount: true,
  },
  {
    id: 'mail',
    title: 'Mailbox',
    summary: 'All e-mails of the service, to every address. You can open links and use tokens with a click.',
    icon: 'mail',
    group: 'Account',
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    heading: 'Receive events on your server',
    summary: 'The service sends each event of your account to an address of yours, signed as Standard Webhooks says. Failed deliveries are retried for three days, in order.',
    icon: 'link',
    sections: {
      'add-a-webhook': 'Add a webhook', 'verify-a-request': 'Verify a request',
      'what-the-local-receiver-got': 'What the local receiver got',
    },
    group: 'Account',
    needsAccount: true,
  },
  {
    id: 'wallet',
    title: 'Trading wallet',
    summary: 'A Bitcoin address whose coins need two signatures to move: yours and the platform’s. Withdrawals never lose runes or inscriptions.',
    icon: 'wallet',
    sections: {
      holdings: 'Holdings', deposits: 'Deposits', withdraw: 'Withdraw',
      'what-may-i-spend-and-why-not-more': 'What may I spend, and why not more?', 'own-transactions': 'Own transactions',
      'keys-of-the-wallet': 'Keys of the wallet',
    },
    group: 'Bitcoin',
    needsAccount: true,
  },
  {
    id: 'mint',
    title: 'Virtual mint',
    heading: 'Bid for a place in a virtual block',
    summary:
      'A mint sells a rune in portions, called requests. Bidders choose a price and pay in advance. Each Bitcoin block takes the highest waiting bids; bids that are not taken can be refunded.',
    icon: 'mint',
    sections: {
      'mempool-and-virtual-blocks': 'Mempool and virtual blocks', 'take-part': 'Take part',
      'virtual-blocks': 'Virtual blocks', batches: 'Batches', refund: 'Refund', administration: 'Administration',
    },
    group: 'Bitcoin',
  },
  {
    id: 'recovery',
    title: 'Recovery',
    heading: 'The service is gone: get your coins out',
    summary: 'A drill: your key alone gets everything out of your trading wallet. You need one page from your disk, and nothing of the service.',
    icon: 'shield',
    group: 'Bitcoin',
    needsAccount: true,
  },
  {
    id: 'swaps',
    title: 'Swaps',
    heading: 'Follow a swap across chains',
    summary:
      'A wallet swaps a token of one chain for a token of another through a hub. The service asks the hub for the status of each swap and stores it, so you see it even while the hub does not answer.',
    icon: 'swap',
    sections: {
      'register-a-swap': 'Register a swap', 'cross-chain-transactions': 'Cross-chain transactions',
      'token-catalogue': 'Token catalogue', 'affiliate-fee': 'Affiliate fee',
    },
    group: 'Beyond Bitcoin',
    needsAccount: true,
  },
  {
    id: 'venue',
    title: 'Perpetuals venue',
    heading: 'Fund a perpetuals account',
    summary:
      'Move USDC between an EVM wallet and the venue, Hyperliquid. The service creates the transactions and warns if the venue would reject them. The wallet signs and sends them.',
    icon: 'venue',
    sections: {
      'status-of-your-wallet': 'Status of your wallet', deposit: 'Deposit',
      'sign-actions-of-the-venue': 'Sign actions of the venue',
    },
    group: 'Beyond Bitcoin',
    needsAccount: true,
  },
  {
    id: 'export',
    title: 'Exports',
    heading: 'Export your history',
    summary: 'Your history as a CSV file: swaps, withdrawals, mints, refunds. The service creates files of any size in the background.',
    icon: 'download',
    group: 'Data',
    needsAccount: true,
  },
  {
    id: 'media',
    title: 'Media',
    heading: 'Upload an image',
    summary: 'The browser uploads images directly to the storage, with a form that the service signs. The form is valid for 15 minutes and allows one key, one type and a maximum size.',
    icon: 'image',
    group: 'Data',
    needsAccount: true,
  },
];

const GROUPS: Panel['group'][] = ['Begin', 'Account', 'Bitcoin', 'Beyond Bitcoin', 'Data'];

export const groups = GROUPS.map((title) => ({
  title,
  panels: panels.filter(({ group }) => group === title),
})).filter((group) => group.panels.length > 0);

/** The panel with this id, if there is one. */
export const panelOf = (id: string): Panel | undefined => panels.find((panel) => panel.id === id);

const files = import.meta.glob<{ default: FunctionComponent }>('./*.tsx');
const loaded = new Map<string, FunctionComponent>();

/** The component of a panel, if its file is loaded. */
export const contentOf = (id: string): FunctionComponent | undefined => loaded.get(id);

/** Loads the file of a panel. */
export async function loadPanel(id: string): Promise<FunctionComponent | undefined> {
  const file = files[`./${id}.tsx`];
  if (!file || loaded.has(id)) return loaded.get(id);
  const { default: content } = await file();
  loaded.set(id, content);
  return content;
}

/** The panels whose flows this tab keeps: they are offered on other panels too. */
const FLOWS: Record<string, string> = { transaction: 'wallet', batch: 'mint', refund: 'mint', deposit: 'venue' };

/** Loads the panel that is shown, and those that have something to offer. */
export async function loadFirst(shown: string): Promise<void> {
  const ids = new Set([shown, ...flowsKept().flatMap((name) => FLOWS[name] ?? [])]);
  // What does not load is loaded again when it is shown.
  await Promise.allSettled([...ids].map(loadPanel));
}
