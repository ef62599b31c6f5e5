/** Line icons, 24 by 24, as paths. */
export const ICONS = {
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.7 1-2.5A6 6 0 0 0 12 3z',
  turn: 'M20 11a8 8 0 1 0-2.3 6M20 5v6h-6',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-7',
  flag: 'M5 21V4M5 4h12l-2 4 2 4H5',
  first: 'M18 6l-6 6 6 6M6 6v12',
  back: 'M15 6l-6 6 6 6',
  on: 'M9 6l6 6-6 6',
  last: 'M6 6l6 6-6 6M18 6v12',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M6 6l12 12M18 6L6 18',
  cog: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4v6M8 14v6',
  keys: 'M9.1 9a3 3 0 1 1 4.3 2.7c-.9.5-1.4 1.2-1.4 2.3M12 17.5h.01',
  sound: 'M4 9v6h4l5 4V5L8 9H4zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12',
  mute: 'M4 9v6h4l5 4V5L8 9H4zM17 9l5 6M22 9l-5 6',
  check: 'M5 13l4 4L19 7',
  flip: 'M12 3v18M8 7l-5 5 5 5V7zM16 7l5 5-5 5V7z',
  play: 'M7 4l13 8-13 8V4z',
  book: 'M4 5a2 2 0 0 1 2-2h13v16H6a2 2 0 0 0-2 2V5zM4 19a2 2 0 0 1 2-2h13',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  draw: 'M4 9h16M4 15h16',
  swap: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4',
} as const;

export type IconName = keyof typeof ICONS;
