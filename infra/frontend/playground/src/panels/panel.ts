import type { IconName } from '../components/Icon.tsx';

/** One page of the playground. The file of this folder that is named as its id exports its component by default. */
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
  /** Sections that the search for places offers: the titles by their anchors. */
  sections?: Readonly<Record<string, string>>;
  /** Offers a sign-in to signed-out users. */
  needsAccount?: boolean;
}
