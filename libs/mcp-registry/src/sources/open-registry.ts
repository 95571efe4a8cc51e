import { createDocumentRegistry } from '../registry/document-registry.ts';
import type { Registry } from '../registry/registry.ts';
import { DocumentCache } from './document-cache.ts';
import { createEmbeddedRegistry } from './embedded-registry.ts';
import { readRegistryFile } from './registry-file.ts';
import type { RegistrySource } from './registry-source.ts';

/** The surroundings of a registry. */
export interface RegistryOptions {
  /** Folder of stored answers of registries; it need not exist. */
  readonly cacheFolder: string;
  /** Is called with a sentence when the registry is not the current one. */
  readonly note: (sentence: string) => void;
  readonly now: () => Date;
  /** Certificates of authorities in PEM that are trusted beside those of the system. */
  readonly certificates?: string | undefined;
  /** Whether stored answers are not used; default false. */
  readonly ignoreStored?: boolean;
  /** Milliseconds for all requests of one question; default 30 s. */
  readonly timeoutMs?: number | undefined;
}

/** Opens a registry. Nothing is read before the first question. */
export async function openRegistry(source: RegistrySource, options: RegistryOptions): Promise<Registry> {
  if (source.kind === 'embedded') return createEmbeddedRegistry();
  if (source.kind === 'file') {
    const { path } = source;
    return createDocumentRegistry(path, () => Promise.resolve().then(() => readRegistryFile(path)));
  }
  const { cacheFolder, ...rest } = options;
  const access = {
    ...{ url: source.url, allowPrivateIp: source.allow_private_ip, cache: new DocumentCache(cacheFolder) },
    ...rest,
  };
  // The embedded registry needs no HTTP client.
  if (source.kind === 'url') return (await import('./url-registry.ts')).createUrlRegistry(access);
  return (await import('./api-registry.ts')).createApiRegistry(access);
}
