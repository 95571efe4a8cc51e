// Usage: node tools/build/build.mjs [--quiet] [project folder …]
// Builds the given projects, or all. An older Node cannot load projects.mjs, so the check precedes
// it.
import { requireNode } from './node-version.mjs';

requireNode();
await import('./projects.mjs');
