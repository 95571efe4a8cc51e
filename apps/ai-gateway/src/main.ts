import { requireNode } from '@gatehouse/service-kit/node-version';

// Loaded after the check: an older Node cannot load it.
requireNode();
await import('./serve.ts');
