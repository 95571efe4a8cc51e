import { maxOutputTokens } from '@gatehouse/money/model-limits';
import { applyEdits, findMembers } from '../body-members.ts';
import type { JsonObject, ModelRequest, ReceivedRequest } from '../model-request.ts';
import type { ModelOperation } from '../operation.ts';
import { listFurtherModelMembers, refuseFurtherModels } from '../further-models.ts';
import { listPricedOptions, requirePricedOptions } from '../priced-options.ts';
import { EventStreamReader } from '../readers/event-stream-reader.ts';
import { JsonDocumentReader } from '../readers/json-document-reader.ts';
import { createTypeError, limitTokens, readFlag, readModelName, readTokenLimit } from '../request-fields.ts';
import { ChatDocument } from './chat-document.ts';
import { ChatStream } from './chat-stream.ts';
import { appendQuery } from '../query.ts';
import { renameModel } from '../model-name.ts';
import { estimatePromptTokens } from './prompt-estimate.ts';
import { findStreamOptions, isUsageRequested, requestUsage } from './stream-options.ts';
import { isEventStream } from '../readers/content-type.ts';

/** The members that the gateway reads; the provider must read the same ones. */
const MEMBERS = [
  'model',
  'stream',
  'stream_options',
  'n',
  'max_tokens',
  'max_completion_tokens',
  ...listPricedOptions('openai'),
  ...listFurtherModelMembers('openai'),
];

/**
 * `POST /v1/chat/completions` of OpenAI and of compatible servers. The provider is always asked for
 * the usage of a stream. A client that has not asked for it receives neither the chunk with the
 * usage nor the `usage: null` of the other chunks.
 */
export const chatCompletions: ModelOperation = {
  name: 'openai.chat_completions',
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
    return {
      received,
      model,
      isStream,
      estimate: {
        promptTokens: estimatePromptTokens(bytes.length, body['messages']),
        maxOutputTokens: readOutputLimit(body, model),
      },
      members: findStreamOptions(received, members),
    };
  },

  createPath: ({ received }) => appendQuery('/chat/completions', received.query),

  createBody: (request, model) =>
    applyEdits(request.received.bytes, [
      ...renameModel(request, model),
      ...(request.isStream ? requestUsage(request) : []),
    ]),

  createReader({ received: { body }, isStream }, contentType) {
    if (!isEventStream(contentType, isStream)) return new JsonDocumentReader(new ChatDocument());
    const hidesUsage = !isUsageRequested(body);
    return new EventStreamReader(new ChatStream(readAnswers(body), hidesUsage), hidesUsage);
  },
};

/** The limit of all answers. Without it, a single answer is left to the limit of the model. */
function readOutputLimit(body: JsonObject, model: string): number | undefined {
  const limit = readTokenLimit(body, 'max_completion_tokens') ?? readTokenLimit(body, 'max_tokens');
  const answers = readAnswers(body);
  if (limit === undefined && answers === 1) return undefined;
  return limitTokens((limit ?? maxOutputTokens('openai', model)) * answers);
}

function readAnswers(body: JsonObject): number {
  const { n } = body;
  if (n === undefined || n === null) return 1;
  if (!Number.isInteger(n) || (n as number) < 1) throw createTypeError('n', 'a whole number from 1');
  return n as number;
}
