import { ModelCallError } from '../../../formats/model-call-error.ts';

/** Ids and ARNs of models and inference profiles (API reference of Bedrock, InvokeModel). */
const MODEL_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_:/-]|\.(?!\.))*$/;

/**
 * Encodes the id of a model as one segment of a path: colons and the slashes of an ARN are encoded,
 * as the SDKs of AWS do. A client can choose the name where a route has a pattern.
 * @throws ModelCallError `not_found`: Bedrock has no model with such a name
 */
export function encodeModelId(model: string): string {
  if (MODEL_ID.test(model)) return encodeURIComponent(model);
  throw new ModelCallError(
    'not_found',
    'The model does not exist at its provider. A model id of Bedrock has letters, digits and . _ : / - only.',
    { field: 'model', reason: 'no_model_id_of_bedrock' },
  );
}
