import { ModelCallError } from '../../formats/model-call-error.ts';
import type { MediaPart } from './chat-request.ts';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+-]+=[^;,]*)*;base64,/;

/**
 * Makes a medium of a URL; that of a data URL in base64 (RFC 2397) is in the request itself.
 * @throws ModelCallError `invalid_request` for every other URL than `data:`, `http:` and `https:`
 */
export function createDataMedium(url: string, type: MediaPart['type'], field: string): MediaPart {
  const [prefix, mediaType] = DATA_URL.exec(url.slice(0, 256)) ?? [];
  if (prefix !== undefined && mediaType !== undefined)
    return { kind: 'media', type, source: { kind: 'base64', mediaType, data: url.slice(prefix.length) }, field };
  if (/^https?:\/\//i.test(url.slice(0, 8)))
    return { kind: 'media', type, source: { kind: 'url', mediaType: undefined, url }, field };
  throw new ModelCallError('invalid_request', `'${field}' must be a data URL in base64, or begin with https://.`, {
    field,
  });
}
