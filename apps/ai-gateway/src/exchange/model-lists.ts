import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { FoundModels } from '../formats/find-operation.ts';
import type { JsonObject } from '../formats/model-request.ts';

/** Writes lists of models in the format of a vendor. */
export interface ModelLists {
  /**
   * Creates the answer to a read of models.
   * @param granted the names of the models that the caller may use, sorted
   * @throws ModelCallError `not_found` for a model that is not among them, `invalid_request`
   */
  create(found: FoundModels, gateway: AIGateway, granted: readonly string[]): JsonObject;
}
