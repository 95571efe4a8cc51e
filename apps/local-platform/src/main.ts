import { requireNode } from '@gatehouse/service-kit/node-version';

// The import follows the check, because an older Node cannot load the program.
requireNode();
await import('./serve.ts');
