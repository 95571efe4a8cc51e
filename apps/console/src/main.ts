import { requireNode } from '@gatehouse/service-kit/node-version';

// The program is loaded afterwards: an older Node could not even load it.
requireNode();
await import('./serve.ts');
