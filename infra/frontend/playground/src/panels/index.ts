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

/** The panel with this id, if there is one. */
export const panelOf = (id: string): Panel | undefined => panels.find((panel) => panel.id === id);
