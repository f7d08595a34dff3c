import { render } from 'preact';

import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/shell.css';
import '../styles/components.css';
import '../styles/support.css';
import '../app/theme.ts';
import { startTicking } from '../lib/clock.ts';
import { Page } from './Page.tsx';
import { resume } from './service.ts';

startTicking();
await resume();
const root = document.getElementById('app');
if (root) render(<Page />, root);
