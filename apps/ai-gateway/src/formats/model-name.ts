import type { Edit } from './body-members.ts';
import type { ModelRequest } from './model-request.ts';

/** The edit that names the model of the provider in `model`; none if it has the same name. */
export function renameModel(request: ModelRequest, model: string): readonly Edit[] {
  const range = request.members.get('model');
  return model === request.model || range === undefined ? [] : [{ ...range, text: JSON.stringify(model) }];
}
