import { requireNode } from '@gatehouse/service-kit/node-version';

// The program is loaded after the check, because an older Node cannot load it.
requireNode();
await import('./serve.ts');
