// Import rules between folders. Tests may import any folder, so they are excluded. The folder of
// the same name in fixtures/ violates each rule.
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
