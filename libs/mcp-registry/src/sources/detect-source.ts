import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RegistryDocumentError, RegistryUnavailableError } from '../registry-error.ts';
import { readApiPage } from './api-answer.ts';
import { createApiUrl } from './api-registry.ts';
import { type RegistryAccess, withRegistryClient } from './registry-client.ts';
import type { RegistrySource } from './registry-source.ts';

/**
 * Finds out what a text names: a file, a document at a URL (`….json`), or the API of a registry.
 * Any other URL without a query is asked for the first page of the API; without that page it is a
 * document.
 * @param folder of a relative path
 * @throws RegistryUnavailableError for a registry that does not answer
 */
export async function detectSource(
  text: string,
  folder: string,
  access: Omit<RegistryAccess, 'url'>,
): Promise<RegistrySource> {
  if (text.startsWith('file:')) return { kind: 'file', path: readFileUrl(text) };
  if (!/^https?:/i.test(text)) return { kind: 'file', path: resolve(folder, text) };
  const address = { url: text, allow_private_ip: access.allowPrivateIp };
  const url = URL.parse(text);
  if (url === null || url.search !== '' || /\.json$/i.test(url.pathname)) return { kind: 'url', ...address };
  return { kind: (await hasApi({ ...access, url: text })) ? 'api' : 'url', ...address };
}

/** @throws RegistryUnavailableError for the URL of another machine */
function readFileUrl(text: string): string {
  try {
    return fileURLToPath(text);
  } catch (cause) {
    throw new RegistryUnavailableError(`${text} is not the address of a file on this machine`, [], cause);
  }
}

/** Whether the first page of the API can be read. */
function hasApi(access: RegistryAccess): Promise<boolean> {
  const url = createApiUrl(access.url, 'servers?limit=1&version=latest');
  return withRegistryClient(access, async (get) => {
    try {
      return (await get(url, (bytes) => readApiPage(bytes, access.url))) !== undefined;
    } catch (error) {
      if (error instanceof RegistryDocumentError) return false;
      throw error;
    }
  });
}
