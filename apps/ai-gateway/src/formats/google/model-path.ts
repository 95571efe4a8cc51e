import type { ModelRequest } from '../model-request.ts';

/** The version of a path without one; the SDKs use it. */
const DEFAULT_VERSION = 'v1beta';

/** The name of a model without the prefix `models/`, which its resource name has. */
export const withoutPrefix = (name: string): string => (name.startsWith('models/') ? name.slice(7) : name);

/**
 * The path and the query of a method of a model: `/{version}/models/{model}:{method}`.
 * @param model with or without `models/`
 */
export function createModelPath({ received }: ModelRequest, model: string, method: string): string {
  const { pathVersion = DEFAULT_VERSION, query } = received;
  const path = `/${pathVersion}/models/${encodeURIComponent(withoutPrefix(model))}:${method}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
