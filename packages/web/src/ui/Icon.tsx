const PATHS = {
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.2 3L13 4.5',
  chevron: 'M6 4l4 4-4 4',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12A5 5 0 107 2a5 5 0 000 10zm3.6-1.4L14 14',
  stop: 'M4.5 4.5h7v7h-7z',
  up: 'M8 13V3M4 7l4-4 4 4',
  chat: 'M2.5 4a1.5 1.5 0 011.5-1.5h8A1.5 1.5 0 0113.500 4v5.500A1.500 1.500 0 0112 11H7l-3 2.500V11A1.500 1.500 0 012.500 9.500z',
  diff: 'M8 2.500v5M5.500 5h5M5.500 12.500h5',
  terminal: 'M3 4.500l3 3-3 3M8 11.500h5',
  list: 'M2.500 4h11M2.500 8h11M2.500 12h11',
  archive: 'M2.500 3h11v3h-11zM3.500 6v7h9V6M6.500 8.500h3',
  comment: 'M3 3h10v8H7.500L5 13.500V11H3z',
  pencil: 'M3 13l.700-3L10.500 3.200l2.300 2.300L6 12.300z',
  undo: 'M3 7h7a3 3 0 010 6H7M6 4L3 7l3 3',
  expand: 'M9.500 2.500h4v4M13.500 2.500l-4.500 4.500M6.500 13.500h-4v-4M2.500 13.500L7 9',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  bot: 'M3.500 6h9v6.500h-9zM8 6V3M6 9h.010M10 9h.010',
  fork: 'M5 3.500v2a2.500 2.500 0 002.500 2.500H8.500A2.500 2.500 0 0011 5.500v-2M8 8v4.500',
  warning: 'M8 2.500l6 11H2zM8 6.500v3M8 11.500v.010',
  clock: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 5v3l2 1.500',
  sliders: 'M2.500 5h5M10.500 5h3M9 3.500v3M2.500 11h2M7.500 11h6M6 9.500v3',
  trash: 'M3 4.500h10M6 4.500V3h4v1.500M4.500 4.500l.600 8.500h5.800l.600-8.500M6.800 7v3.500M9.200 7v3.500',
  plug: 'M5.500 2.500v3.500M10.500 2.500v3.500M4 6h8v2a4 4 0 01-8 0zM8 12v2',
  bell: 'M4 11V7.500a4 4 0 018 0V11l1 1.500H3zM6.800 14h2.400',
  branch:
    'M5 6v4M5 6a1.700 1.700 0 100-3.400A1.700 1.700 0 005 6zm0 7.400A1.700 1.700 0 105 10a1.700 1.700 0 000 3.400zM11 7.400A1.700 1.700 0 1011 4a1.700 1.700 0 000 3.400zm0 0c0 2-2 2.600-4.300 3.300',
  more: 'M3.500 8h.010M8 8h.010M12.500 8h.010',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
