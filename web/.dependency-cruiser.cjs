// Which room of the page may import which: the picture in CONTRIBUTING. `npm run check` holds the code to it.
const rooms = ['api', 'board', 'games', 'play', 'lessons', 'rules', 'parts', 'pages'];
const shared = '^src/[^/]+\\.ts$'; // texts, settings, sounds: each says below whom it may use

/** A room that imports nothing of ours but these rooms, itself and the shared files. */
const only = (room, ...others) => ({
  name: `${room} uses only ${[room, ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: [shared, `^src/(${[room, ...others].join('|')})/`] },
});

module.exports = {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no strangers', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^[.]' } },
    only('api'),
    only('board', 'api'),
    only('games', 'board', 'api'),
    only('play', 'games', 'board', 'api'),
    only('lessons', 'api'),
    only('rules', 'games', 'board', 'api'),
    only('parts', 'play', 'games', 'board', 'api'),
    only('pages', 'parts', 'rules', 'lessons', 'play', 'games', 'board', 'api'),
    {
      name: 'shared files use only types',
      severity: 'error',
      from: { path: shared, pathNot: '^src/main\\.ts$' },
      to: { path: `^src/(${rooms.join('|')})/`, pathNot: '^src/api/types\\.ts$' },
    },
    {
      name: 'api and board keep no settings and make no sound',
      severity: 'error',
      from: { path: '^src/(api|board|games)/' },
      to: { path: '^src/(prefs|route|sound|samples)' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.svelte', '.svelte.ts', '.js', '.json'] },
  },
};
