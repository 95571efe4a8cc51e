// Import rules between folders. Tests are left out: a test may import anything, and a folder
// depends on what its modules import. Each rule has a folder of the same name in fixtures/ that
// breaks it.
const { options } = require('./dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      comment: 'Two folders that import each other have no boundary between them.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(apps|libs)/' },
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: `${options.exclude.path}|(^|/)e2e/|\\.(test|fixture)\\.ts$` },
  },
};
