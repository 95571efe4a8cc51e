import { ModelCallError } from '../../formats/model-call-error.ts';

/** The characters that stand in a segment of a path as they are (RFC 3986, section 3.3). */
const SEGMENT = /^[A-Za-z0-9._~@+-]+$/;
const DOT_SEGMENTS: ReadonlySet<string> = new Set(['.', '..']);

/**
 * Requires that a name of a model is one segment of a path as it is written. A client can choose
 * the name where a route has a pattern. An encoded slash would be a way out of the path at a server
 * that decodes before it splits.
 * @throws ModelCallError `not_found`: the platform has no model with such a name
 */
export function requirePathSegment(model: string): string {
  if (SEGMENT.test(model) && !DOT_SEGMENTS.has(model)) return model;
  throw new ModelCallError(
    'not_found',
    'The model does not exist at its provider. A name there has letters, digits and . _ ~ @ + - only.',
    { field: 'model', reason: 'model_name_is_no_path_segment' },
  );
}
