import { createRegistryDocument } from '../document/registry-document.ts';
import { createDocumentRegistry } from '../registry/document-registry.ts';
import type { Registry } from '../registry/registry.ts';

/** The registry that comes with the command line (docs/registry.md). It needs no network. */
export function createEmbeddedRegistry(): Registry {
  return createDocumentRegistry('the embedded registry', async () => {
    const { default: snapshot } = await import('../../snapshot/registry.json', { with: { type: 'json' } });
    return createRegistryDocument(snapshot, 'the embedded registry');
  });
}
