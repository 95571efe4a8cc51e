import type { WireFormat } from '../../../formats/operation.ts';
import { isJsonObject } from '../../../formats/readers/response-facts.ts';

/** An error of the front end of Google, which also answers for models of other publishers. */
interface GoogleError {
  readonly message: string;
  /** Such as `RESOURCE_EXHAUSTED`. */
  readonly status: string;
}

/** The types of errors of Anthropic. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
};

/**
 * Converts an error of the front end of Google into the form of a format, so that SDKs show its
 * message. Other bodies stay as they are: models have errors of their format.
 */
export function convertGoogleError(format: WireFormat, status: number, body: Buffer): Buffer {
  const error = format === 'google' ? undefined : readGoogleError(body);
  if (error === undefined) return body;
  const { message } = error;
  const converted =
    format === 'anthropic'
      ? { type: 'error', error: { type: ANTHROPIC_TYPES[status] ?? 'api_error', message } }
      : { error: { message, type: error.status, param: null, code: null } };
  return Buffer.from(JSON.stringify(converted));
}

/** Reads `{"error": {…}}`, which can be the only item of a list. */
function readGoogleError(body: Buffer): GoogleError | undefined {
  const document = parseJson(body);
  const item: unknown = Array.isArray(document) ? document[0] : document;
  const error = isJsonObject(item) ? item['error'] : undefined;
  if (!isJsonObject(error)) return undefined;
  const { message, status } = error;
  return typeof message === 'string' && typeof status === 'string' ? { message, status } : undefined;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
