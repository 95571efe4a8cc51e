import { requireNode } from '@gatehouse/service-kit/node-version';

// An older Node cannot parse the program, so the version is checked first.
requireNode();
await import('./serve.ts');
