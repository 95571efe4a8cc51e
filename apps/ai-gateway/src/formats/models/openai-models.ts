import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject } from '../model-request.ts';
import type { ServedModel } from './served-model.ts';

/** `GET /v1/models` of OpenAI. It lists all models of the caller, also those of other formats. */
export const listOpenAiModels = (models: readonly ServedModel[]): JsonObject => ({
  object: 'list',
  data: models.map(({ model }) => model),
});

/** `GET /v1/models/{id}` of OpenAI. @throws ModelCallError `not_found` */
export function getOpenAiModel(models: readonly ServedModel[], id: string): JsonObject {
  const found = models.find(({ model }) => model.id === id);
  if (found !== undefined) return found.model;
  throw new ModelCallError('not_found', `The model \`${id}\` does not exist or you do not have access to it.`, {
    field: 'model',
  });
}
