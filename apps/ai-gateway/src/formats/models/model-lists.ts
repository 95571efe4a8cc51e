import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { FoundModels } from '../find-operation.ts';
import type { JsonObject } from '../model-request.ts';
import { getAnthropicModel, listAnthropicModels } from './anthropic-models.ts';
import { getGoogleModel, listGoogleModels } from './google-models.ts';
import { getOpenAiModel, listOpenAiModels } from './openai-models.ts';
import { describeModels } from './served-model.ts';

/** Answers reads of models in the format of each vendor. */
export const modelLists = {
  /**
   * Lists the models that the caller may use, or describes one of them. The lists of Anthropic and
   * Gemini have only the models with a backend of the same format.
   * @param granted the names of the models that the caller may use, sorted
   * @throws ModelCallError `not_found` for a model that is not listed, `invalid_request`
   */
  create({ format, model: id, query }: FoundModels, gateway: AIGateway, granted: readonly string[]): JsonObject {
    const models = describeModels(gateway, granted);
    if (format === 'openai') return id === undefined ? listOpenAiModels(models) : getOpenAiModel(models, id);
    const own = models.filter(({ formats }) => formats.has(format));
    if (format === 'anthropic') return id === undefined ? listAnthropicModels(own, query) : getAnthropicModel(own, id);
    return id === undefined ? listGoogleModels(own, query) : getGoogleModel(own, id);
  },
};
