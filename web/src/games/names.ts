/** The games, in the order in which the page shows them. */
export const GAME_NAMES = ['petrify', 'pilo', 'pentwall', 'pyloff'] as const;

export type GameName = (typeof GAME_NAMES)[number];
