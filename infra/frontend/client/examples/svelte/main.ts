// A frontend with Svelte: sign in with a wallet of the browser, read the balance, withdraw, and follow what happens.

import { mount } from 'svelte';

import App from './App.svelte';

const target = document.getElementById('app');
if (target) mount(App, { target });
