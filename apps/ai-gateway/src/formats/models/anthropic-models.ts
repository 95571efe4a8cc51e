import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject } from '../model-request.ts';
import { readPageSize } from './page-size.ts';
import type { ServedModel } from './served-model.ts';

/**
 * `GET /v1/models` of Anthropic, in pages. A cursor is the id of a model; it need not exist any
 * more. The largest prompt is written if the route of the model names its context window.
 * @throws ModelCallError `invalid_request`
 */
export function listAnthropicModels(models: readonly ServedModel[], query: URLSearchParams): JsonObject {
  const size = readPageSize(query, 'limit', { default: 20, min: 1, max: 1_000 });
  const [after, before] = [query.get('after_id'), query.get('before_id')];
  if (after !== null && before !== null)
    throw new ModelCallError('invalid_request', "Send 'after_id' or 'before_id', not both.", { field: 'before_id' });
  const isInRange = ({ model: { id } }: ServedModel) =>
    (after === null || id > after) && (before === null || id < before);
  const range = models.filter(isInRange);
  const page = before === null ? range.slice(0, size) : range.slice(-size);
  return {
    data: page.map(writeModel),
    has_more: page.length < range.length,
    first_id: page[0]?.model.id ?? null,
    last_id: page.at(-1)?.model.id ?? null,
  };
}

/** `GET /v1/models/{id}` of Anthropic. @throws ModelCallError `not_found` */
export function getAnthropicModel(models: readonly ServedModel[], id: string): JsonObject {
  const found = models.find(({ model }) => model.id === id);
  if (found === undefined) throw new ModelCallError('not_found', `model: ${id}`, { field: 'model' });
  return writeModel(found);
}

const writeModel = ({ model: { id, created, display_name, context_window } }: ServedModel): JsonObject => ({
  type: 'model',
  id,
  display_name: display_name ?? id,
  created_at: new Date(created * 1_000).toISOString().replace('.000Z', 'Z'),
  ...(context_window !== undefined && { max_input_tokens: context_window }),
});
