import type { Panel } from './panel.ts';

const files = import.meta.glob<{ panel: Panel }>('./*.tsx', { eager: true });

const panels = Object.values(files)
  .map(({ panel }) => panel)
  .sort((a, b) => a.order - b.order);

const GROUPS: Panel['group'][] = ['Begin', 'Account', 'Bitcoin', 'Beyond Bitcoin', 'Data'];

export const groups = GROUPS.map((title) => ({
  title,
  panels: panels.filter(({ group }) => group === title),
})).filter((group) => group.panels.length > 0);

/** The panel with this id; if it does not exist, the first panel. */
export function panelOf(id: string): Panel {
  const found = panels.find((panel) => panel.id === id) ?? panels[0];
  if (!found) throw new Error('The playground has no panels.');
  return found;
}
