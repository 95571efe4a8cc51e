import type { IncomingHttpHeaders } from 'node:http';
import type { BackendOperation } from '../../../formats/backend-operation.ts';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import { createHostedMessageBody } from '../hosted-message-body.ts';
import { requirePathSegment } from '../path-segment.ts';
import type { VertexFormat } from './vertex-format.ts';

const MODELS = '/publishers/anthropic/models';
/** The version of Vertex AI that is the one of 2023-06-01 at Anthropic. */
const FIRST_VERSION = { atAnthropic: '2023-06-01', atVertex: 'vertex-2023-10-16' };
const VERSION = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Claude on Vertex AI: `publishers/anthropic/models/{model}:rawPredict`. The path has the
 * model, and the body has the version, as the SDK writes them. Betas stay in their header.
 */
export const vertexAnthropic: VertexFormat = {
  serves: () => true,
  createPath({ operation, request, model }) {
    const segment = requirePathSegment(model);
    if (isCount(operation)) return `${MODELS}/count-tokens:rawPredict`;
    return `${MODELS}/${segment}:${request.isStream ? 'streamRawPredict' : 'rawPredict'}`;
  },
  createBody: ({ operation, request, model, headers }) =>
    createHostedMessageBody(operation.createBody(request, model), {
      version: readVersion({ ...headers, ...operation.translation?.requestHeaders }),
      removed: isCount(operation) ? [] : ['model'],
      added: {},
    }),
};

const isCount = ({ telemetryName }: BackendOperation): boolean => telemetryName === 'count_tokens';

/** The version that selects what the header of the client selects at Anthropic. */
function readVersion({ 'anthropic-version': version = FIRST_VERSION.atAnthropic }: IncomingHttpHeaders): string {
  if (version === FIRST_VERSION.atAnthropic) return FIRST_VERSION.atVertex;
  if (typeof version === 'string' && VERSION.test(version)) return version;
  throw new ModelCallError('invalid_request', 'anthropic-version: Send a date such as 2023-06-01.', {
    field: 'anthropic-version',
  });
}
