/** 20 × 20, stroked in the colour of the text. */
const PATHS = {
  start: 'M10 2.5v3M10 14.5v3M2.5 10h3M14.5 10h3M10 7.2l.9 1.9 1.9.9-1.9.9-.9 1.9-.9-1.9-1.9-.9 1.9-.9z',
  key: 'M12.5 11.5a4 4 0 1 0-3.9-3.1L3 14v3h3v-2h2v-2l1.6-1.6a4 4 0 0 0 2.9.1zM13.2 6.8h.01',
  shield: 'M10 2.5 4 4.8v4.7c0 3.7 2.5 6.4 6 8 3.5-1.6 6-4.3 6-8V4.8zM7.5 10l1.8 1.8 3.3-3.5',
  wallet: 'M3 6.5A1.5 1.5 0 0 1 4.5 5H15v3M3 6.5V15a1.5 1.5 0 0 0 1.5 1.5h12V8h-12A1.5 1.5 0 0 1 3 6.5zM13.5 12.2h.01',
  mail: 'M3 5h14v10.5H3zM3.3 5.4 10 11l6.7-5.6',
  mint: 'M10 3c3.9 0 6.5 1.1 6.5 2.6S13.9 8.2 10 8.2 3.5 7.1 3.5 5.6 6.1 3 10 3zM3.5 5.6v4.4c0 1.5 2.6 2.6 6.5 2.6s6.5-1.1 6.5-2.6V5.6M3.5 10v4.4c0 1.5 2.6 2.6 6.5 2.6s6.5-1.1 6.5-2.6V10',
  swap: 'M4 7h11M12 4l3 3-3 3M16 13H5M8 10l-3 3 3 3',
  venue: 'M6 3.5v3M6 12.5v4M4 6.5h4v6H4zM14 3.5v4M14 13.5v3M12 7.5h4v6h-4z',
  download: 'M10 3v9M6.5 9 10 12.5 13.5 9M3.5 14v2.5h13V14',
  image: 'M3 4h14v12H3zM3.5 14l4-4 3 3 2.5-2.5 3.5 3.5M12.5 7.5h.01',
  calls: 'M3 5h14M3 10h14M3 15h9',
  copy: 'M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7',
  check: 'M4 10.5l4 4 8-9',
  close: 'M5 5l10 10M15 5 5 15',
  chevron: 'M8 5l5 5-5 5',
  menu: 'M3 6h14M3 10h14M3 14h14',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  moon: 'M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z',
  auto: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 3v14M10 6.5h5.8M10 10h7M10 13.5h5.8',
  refresh: 'M16 10a6 6 0 1 1-1.8-4.3M16.5 3v3.5H13',
  warn: 'M10 3 2.5 16.5h15zM10 8v4M10 14.2h.01',
  block: 'M10 2.5 16.5 6v8L10 17.5 3.5 14V6zM3.5 6 10 9.5 16.5 6M10 9.5v8',
  out: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7',
  plus: 'M10 4v12M4 10h12',
  trash: 'M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 9v4.5M11.5 9v4.5',
  user: 'M10 3a3.3 3.3 0 1 0 0 6.6A3.3 3.3 0 0 0 10 3zM3.5 17c.6-3.3 3.2-5 6.5-5s5.9 1.7 6.5 5',
  device: 'M3.5 4h13v9h-13zM7.5 16.5h5M10 13v3.5',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l2.7 1.7',
  upload: 'M10 12.5v-9M6.5 7 10 3.5 13.5 7M3.5 14v2.5h13V14',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.9-2.9a3 3 0 0 0-4.3-4.3L10 5.7M11.5 8.5a3 3 0 0 0-4.3 0l-2.9 2.9a3 3 0 0 0 4.3 4.3L10 14.3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
