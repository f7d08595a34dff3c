// The page in Node.

import { pageIn } from '../../scripts/page.mjs';

export const open = await pageIn(new URL('../', import.meta.url));
