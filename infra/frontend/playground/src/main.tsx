import { render } from 'preact';

import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/components.css';
import './app/theme.ts';
import { panelId } from './app/router.ts';
import { Shell } from './app/Shell.tsx';
import { startTicking } from './lib/clock.ts';
import { loadFirst } from './panels/index.ts';
import { followChain } from './stores/local.ts';
import { resumeSession } from './stores/session.ts';

followChain();
startTicking();
await Promise.all([resumeSession(), loadFirst(panelId.peek())]);
const root = document.getElementById('app');
if (root) render(<Shell />, root);
