import { requireNode } from '@gatehouse/service-kit/node-version';

// An older Node cannot load the program, so the check comes first.
requireNode();
await import('./serve.ts');
