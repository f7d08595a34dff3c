// Builds the page, dist/runeport-verify.html, and the command, dist/runeport-verify.mjs.

import { buildOffline } from '../../scripts/offline.mjs';

await buildOffline(new URL('../', import.meta.url), 'runeport-verify', { style: 'src/page/style.css' });
