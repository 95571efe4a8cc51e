import { ModelCallError } from '../model-call-error.ts';
import type { ModelRequest } from '../model-request.ts';

/**
 * The name of a model without the prefix `models/`, which its resource name has. A second call
 * changes nothing, so that policy and path have the same name.
 */
export const withoutPrefix = (name: string): string => name.replace(/^(?:models\/)+/, '');

/**
 * The path and the query of a method of a model: `/models/{model}:{method}`. The query has only the
 * form of a stream. Other parameters of the API could remove the usage from the response, such as
 * `fields`, or change its form, such as `callback`. The headers of the API that do so, such as
 * `x-goog-fieldmask`, must not be passed on either.
 * @param model with or without `models/`
 */
export function createModelPath({ received, isStream }: ModelRequest, model: string, method: string): string {
  const path = `/models/${encodeURIComponent(withoutPrefix(model))}:${method}`;
  return isStream && readResponseForm(received.query) === 'sse' ? `${path}?alt=sse` : path;
}

/**
 * Reads the form of a response: `alt=sse`, which all SDKs send for streams, or JSON. A stream in
 * JSON is an array that the provider writes item by item.
 * @throws ModelCallError `invalid_request` for a form that the gateway cannot read
 */
export function readResponseForm(query: URLSearchParams): 'json' | 'sse' {
  const form = (query.get('alt') ?? query.get('$alt') ?? 'json').toLowerCase();
  if (form !== 'json' && form !== 'sse')
    throw new ModelCallError('invalid_request', 'alt: the gateway supports json and sse.', { field: 'alt' });
  return form;
}
