import type { FunctionComponent } from 'preact';

import type { IconName } from '../components/Icon.tsx';

/** One page of the playground: a file of this folder exports one as `panel`. */
export interface Panel {
  /** Part of the URL: `#/<id>`. */
  id: string;
  /** In the navigation. */
  title: string;
  /** Heading, if it says more than the title. */
  heading?: string;
  /** One or two sentences below that. */
  summary: string;
  icon: IconName;
  group: 'Begin' | 'Account' | 'Bitcoin' | 'Beyond Bitcoin' | 'Data';
  /** Its place in the group. */
  order: number;
  /** Offers a sign-in to signed-out users. */
  needsAccount?: boolean;
  component: FunctionComponent;
}
