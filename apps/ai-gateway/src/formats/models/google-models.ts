import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject } from '../model-request.ts';
import { readPageSize } from './page-size.ts';
import type { ServedModel } from './served-model.ts';

/** The methods that the gateway serves; the resource does not say which of them a model has. */
const METHODS = ['generateContent', 'countTokens', 'embedContent'];

/**
 * `GET /v1beta/models` of Gemini, in pages. A page token is the base64url of the last id before the
 * page.
 * @throws ModelCallError `invalid_request`
 */
export function listGoogleModels(models: readonly ServedModel[], query: URLSearchParams): JsonObject {
  const size = readPageSize(query, 'pageSize', { default: 50, min: 0, max: Infinity });
  // Google reads 0 as the default and reduces larger sizes to 1,000.
  const count = size === 0 ? 50 : Math.min(size, 1_000);
  const last = Buffer.from(query.get('pageToken') ?? '', 'base64url').toString();
  const rest = models.filter(({ model: { id } }) => id > last);
  const page = rest.slice(0, count);
  const lastId = page.at(-1)?.model.id ?? '';
  return {
    models: page.map(writeModel),
    ...(page.length < rest.length && { nextPageToken: Buffer.from(lastId).toString('base64url') }),
  };
}

/** `GET /v1beta/models/{id}` of Gemini. @throws ModelCallError `not_found` */
export function getGoogleModel(models: readonly ServedModel[], id: string): JsonObject {
  const found = models.find(({ model }) => model.id === id);
  if (found === undefined) throw new ModelCallError('not_found', `models/${id} is not found.`, { field: 'model' });
  return writeModel(found);
}

const writeModel = ({ model: { id, display_name, context_window } }: ServedModel): JsonObject => ({
  name: `models/${id}`,
  displayName: display_name ?? id,
  ...(context_window !== undefined && { inputTokenLimit: context_window }),
  supportedGenerationMethods: METHODS,
});
