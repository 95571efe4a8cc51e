import { exceededLimit, type JsonLimits } from '@gatehouse/json-limits/json-counter';
import { getErrorMessage } from '../errors/workload-error.ts';

/** Limits of a document that a person gives to a command. */
const LIMITS: JsonLimits = { nodes: 500_000, keys: 500_000, depth: 100 };

/**
 * Parses a JSON document; a byte order mark is skipped. Of equal keys, the last one counts.
 * @throws Error with a clause as its message, such as `is not JSON: …`
 */
export function parseJsonDocument(text: string): unknown {
  const document = text.replace(/^\uFEFF/, '');
  const exceeded = exceededLimit(Buffer.from(document), LIMITS);
  if (exceeded !== undefined) {
    const unit = exceeded === 'depth' ? 'levels' : exceeded === 'keys' ? 'members' : 'values';
    throw new Error(`is too large: it has more than ${LIMITS[exceeded]} ${unit}`);
  }
  try {
    return JSON.parse(document) as unknown;
  } catch (error) {
    throw new Error(`is not JSON: ${getErrorMessage(error)}`, { cause: error });
  }
}
