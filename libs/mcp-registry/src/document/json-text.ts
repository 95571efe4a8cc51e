import { exceededLimit, type JsonLimits } from '@gatehouse/json-limits/json-counter';
import { RegistryDocumentError } from '../registry-error.ts';

/** The maximum size of a document in bytes. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Limits of one document. A registry of 10,000 servers has about 500,000 values. */
const DOCUMENT_LIMITS: JsonLimits = { nodes: 2_000_000, keys: 2_000_000, depth: 40 };

/**
 * Parses the text of a document.
 * @param source name of the document in messages
 * @throws RegistryDocumentError for a text that is too large, too deep or no JSON
 */
export function parseJsonText(bytes: Uint8Array, source: string): unknown {
  if (bytes.length > MAX_DOCUMENT_BYTES)
    throw new RegistryDocumentError(
      `${source} is no registry: it is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB`,
    );
  const exceeded = exceededLimit(bytes, DOCUMENT_LIMITS);
  if (exceeded !== undefined)
    throw new RegistryDocumentError(
      `${source} is no registry: it has more than ${DOCUMENT_LIMITS[exceeded]} ${exceeded === 'depth' ? 'levels' : exceeded}`,
    );
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is not valid JSON' : 'it is not UTF-8 text';
    throw new RegistryDocumentError(`${source} is no registry: ${reason}`, [], cause);
  }
}
