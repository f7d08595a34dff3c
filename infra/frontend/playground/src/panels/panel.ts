import type { FunctionComponent } from 'preact';

import type { IconName } from '../components/Icon.tsx';

/** One page of the playground. Each file in this folder exports a `panel`. */
export interface Panel {
  /** Part of the URL: `#/<id>`. */
  id: string;
  /** The name in the navigation. */
  title: string;
  /** The heading of the page; default: the title. */
  heading?: string;
  /** One or two sentences below the heading. */
  summary: string;
  icon: IconName;
  group: 'Begin' | 'Account' | 'Bitcoin' | 'Beyond Bitcoin' | 'Data';
  /** The position in the group. */
  order: number;
  /** Offers a sign-in to signed-out users. */
  needsAccount?: boolean;
  component: FunctionComponent;
}
