import { createRegistryDocument } from '../document/registry-document.ts';
import { createDocumentRegistry } from '../registry/document-registry.ts';
import type { Registry } from '../registry/registry.ts';

/**
 * The registry that comes with the command line (docs/registry.md). It needs no network. Its groups
 * are stored as names, so that each entry exists once.
 */
export function createEmbeddedRegistry(): Registry {
  return createDocumentRegistry('the embedded registry', async () => {
    const { default: snapshot } = await import('../../snapshot/registry.json', { with: { type: 'json' } });
    const { default: groups } = await import('../../snapshot/groups.json', { with: { type: 'json' } });
    const document = createRegistryDocument(snapshot, 'the embedded registry');
    const entries = new Map(document.servers.map((entry) => [entry.name, entry]));
    return {
      ...document,
      groups: groups.map(({ name, description, servers }) => ({
        ...{ name, description },
        servers: servers.flatMap((server) => entries.get(server) ?? []),
      })),
    };
  });
}
