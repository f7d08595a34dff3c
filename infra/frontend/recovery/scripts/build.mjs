// Builds the page, dist/runeport-recovery.html, and the command, dist/runeport-recovery.mjs.

import { buildOffline } from '../../scripts/offline.mjs';

await buildOffline(new URL('../', import.meta.url), 'runeport-recovery', { style: 'src/page/style.css' });
