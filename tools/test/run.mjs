// npm test [-- --only <nx project>[,…]] Runs every suite that this machine can run; see suites.mjs.
// An older Node could not even load that.
import { requireNode } from '../build/node-version.mjs';

requireNode();
await import('./suites.mjs');
