// Usage: npm test [-- --only <nx project>[,…]]
// Runs every suite that this machine can run. An older Node cannot load suites.mjs, so the check
// precedes it.
import { requireNode } from '../build/node-version.mjs';

requireNode();
await import('./suites.mjs');
