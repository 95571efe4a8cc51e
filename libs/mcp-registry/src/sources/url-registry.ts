import { readRegistryDocument } from '../document/registry-document.ts';
import { createDocumentRegistry } from '../registry/document-registry.ts';
import type { Registry } from '../registry/registry.ts';
import { RegistryUnavailableError } from '../registry-error.ts';
import { type RegistryAccess, withRegistryClient } from './registry-client.ts';

/** A registry that is one document at a URL. */
export function createUrlRegistry(access: RegistryAccess): Registry {
  const { url } = access;
  return createDocumentRegistry(url, () =>
    withRegistryClient(access, async (get) => {
      const document = await get(new URL(url), (bytes) => readRegistryDocument(bytes, url));
      if (document === undefined) throw new RegistryUnavailableError(`There is no registry at ${url} (status 404)`);
      return document;
    }),
  );
}
