import type { FunctionComponent } from 'preact';

import type { IconName } from '../components/Icon.tsx';

/** One page of the playground: a file of this folder exports one as `panel`. */
export interface Panel {
  /** In the address: `#/<id>`. */
  id: string;
  /** In the navigation. */
  title: string;
  /** At the top, where it says more than the title. */
  heading?: string;
  /** One or two sentences below that. */
  summary: string;
  icon: IconName;
  group: 'Begin' | 'Account' | 'Bitcoin' | 'Beyond Bitcoin' | 'Data';
  /** Its place in the group. */
  order: number;
  /** Whoever is not signed in is offered to. */
  needsAccount?: boolean;
  component: FunctionComponent;
}
