// node tools/build/build.mjs [--quiet] [project folder …]
// Builds the named projects, or all; see projects.mjs. An older Node could not even load that.
import { requireNode } from './node-version.mjs';

requireNode();
await import('./projects.mjs');
