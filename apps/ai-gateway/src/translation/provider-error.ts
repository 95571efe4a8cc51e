import { ModelCallError, type ModelCallFailure } from '../formats/model-call-error.ts';
import type { JsonObject } from '../formats/model-request.ts';
import { isJsonObject } from '../formats/readers/response-facts.ts';

const FAILURES: Readonly<Record<number, ModelCallFailure>> = {
  // The account of the company, not that of the caller, has no credit.
  402: 'unavailable',
  404: 'not_found',
  408: 'request_timeout',
  413: 'request_too_large',
  429: 'rate_limited',
  503: 'unavailable',
  504: 'provider_timeout',
  529: 'unavailable',
};

/** The longest message of a provider that is passed on, in characters. */
const MAX_MESSAGE_LENGTH = 4_096;

/**
 * Creates the error for a client from that of a provider: the kind by the status, and the message,
 * which can name fields of the provider’s format.
 * @param body `{"error": {"message"}}` in all formats; Google can send a list with it
 */
export function createProviderError(status: number, body: JsonObject | undefined): ModelCallError {
  const error = body?.['error'];
  const message = isJsonObject(error) ? error['message'] : undefined;
  return new ModelCallError(
    FAILURES[status] ?? (status >= 500 ? 'provider_error' : 'invalid_request'),
    typeof message === 'string' && message !== ''
      ? message.slice(0, MAX_MESSAGE_LENGTH)
      : `The provider of the model answered with the status ${status}.`,
    { reason: `provider_status_${status}` },
  );
}
