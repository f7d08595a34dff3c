import { effect, signal } from '@preact/signals';

import { panelId, panelParams, sectionId, showInUrl } from '../app/router.ts';

const PARAMETER = 'operation';

/** The operation that a link of the reference names, to try it out. Panels change the URL, so that it is kept here. */
export const tried = signal<string | undefined>(undefined);

effect(() => {
  const id = panelParams.value.get(PARAMETER);
  if (id !== null) tried.value = id;
});

export function closeTried(): void {
  tried.value = undefined;
  const params = new URLSearchParams(panelParams.peek());
  if (!params.has(PARAMETER)) return;
  params.delete(PARAMETER);
  const section = sectionId.peek();
  showInUrl(panelId.peek(), { ...Object.fromEntries(params), ...(section !== undefined && { section }) });
}
