// Which room of the page may import which: the picture in CONTRIBUTING. `npm run check` holds the code to it.
const rooms = ['api', 'ui', 'board', 'games', 'play', 'rules', 'parts', 'pages'];
const shared = '^src/[^/]+\\.ts$'; // texts, settings, sounds: each says below whom it may use

const names = '^src/games/names\\.ts$'; // the list of the games, which is data

/** A room that imports nothing of ours but these rooms, itself and the shared files. */
const only = (room, ...others) => ({
  name: `${room} uses only ${[room, ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: [shared, names, `^src/(${[room, ...others].join('|')})/`] },
});

module.exports = {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no strangers', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^[.]' } },
    only('api'),
    only('ui', 'api'),
    only('board', 'api'),
    only('games', 'ui', 'board', 'api'),
    {
      name: 'a game is reached through games/index',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/games/'] },
      to: { path: '^src/games/[^/]+/' },
    },
    {
      name: 'no game knows another',
      severity: 'error',
      from: { path: '^src/games/([^/]+)/' },
      to: { path: '^src/games/[^/]+/', pathNot: '^src/games/$1/' },
    },
    only('play', 'games', 'board', 'api'),
    only('rules', 'play', 'games', 'board', 'api'),
    only('parts', 'ui', 'play', 'games', 'board', 'api'),
    only('pages', 'parts', 'rules', 'ui', 'play', 'games', 'board', 'api'),
    {
      name: 'shared files use only types',
      severity: 'error',
      from: { path: shared, pathNot: '^src/main\\.ts$' },
      to: { path: `^src/(${rooms.join('|')})/`, pathNot: '^src/api/types\\.ts$' },
    },
    {
      name: 'api and board keep no settings and make no sound',
      severity: 'error',
      from: { path: '^src/(api|ui|board|games)/' },
      to: { path: '^src/(prefs|route|sound)' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.svelte', '.svelte.ts', '.js', '.json'] },
  },
};
