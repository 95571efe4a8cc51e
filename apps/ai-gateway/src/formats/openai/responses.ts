import { applyEdits, findMembers } from '../body-members.ts';
import { ModelCallError } from '../model-call-error.ts';
import type { ModelRequest, ReceivedRequest } from '../model-request.ts';
import type { ModelOperation } from '../operation.ts';
import { listFurtherModelMembers, refuseFurtherModels } from '../further-models.ts';
import { listPricedOptions, requirePricedOptions } from '../priced-options.ts';
import { appendQuery } from '../query.ts';
import { isEventStream } from '../readers/content-type.ts';
import { EventStreamReader } from '../readers/event-stream-reader.ts';
import { JsonDocumentReader } from '../readers/json-document-reader.ts';
import { readFlag, readModelName, readTokenLimit } from '../request-fields.ts';
import { renameModel } from '../model-name.ts';
import { estimatePromptTokens } from './prompt-estimate.ts';
import { ResponseDocument } from './response-document.ts';
import { ResponseStream } from './response-stream.ts';

/** The members that the gateway reads; the provider must read the same ones. */
const MEMBERS = [
  'model',
  'stream',
  'background',
  'max_output_tokens',
  ...listPricedOptions('openai'),
  ...listFurtherModelMembers('openai'),
];

/**
 * `POST /v1/responses` of OpenAI. A background response ends after its HTTP call and could not be
 * metered, so that it is refused. `store`, `previous_response_id` and `conversation` pass; the
 * tokens of earlier turns are charged, and are not part of the estimate.
 */
export const responses: ModelOperation = {
  name: 'openai.responses',
  format: 'openai',
  telemetryName: 'chat',
  isMetered: true,

  readRequest(received: ReceivedRequest): ModelRequest {
    const { bytes, body } = received;
    const members = findMembers(received, MEMBERS);
    const model = readModelName(body);
    requirePricedOptions('openai', body);
    refuseFurtherModels('openai', body);
    const isStream = readFlag(body, 'stream');
    if (readFlag(body, 'background'))
      throw new ModelCallError(
        'invalid_request',
        "Background responses cannot be metered by this gateway. Remove 'background' or set it to false.",
        { field: 'background' },
      );
    return {
      received,
      model,
      isStream,
      estimate: {
        promptTokens: estimatePromptTokens(bytes.length, body['input']),
        maxOutputTokens: readTokenLimit(body, 'max_output_tokens'),
      },
      members,
    };
  },

  createPath: ({ received }) => appendQuery('/responses', received.query),

  createBody: (request, model) => applyEdits(request.received.bytes, renameModel(request, model)),

  createReader({ estimate, isStream }, contentType) {
    return isEventStream(contentType, isStream)
      ? new EventStreamReader(new ResponseStream(estimate.promptTokens), false)
      : new JsonDocumentReader(new ResponseDocument());
  },
};
