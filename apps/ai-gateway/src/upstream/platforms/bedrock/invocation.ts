import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject } from '../../../formats/readers/response-facts.ts';
import type { ModelRequest } from '../../../formats/model-request.ts';
import { createHostedMessageBody } from '../hosted-message-body.ts';
import type { PlatformRequest, ProviderCall } from '../provider-platform.ts';
import { encodeModelId } from './model-id.ts';

/** The only version of the Messages API that InvokeModel accepts. */
const VERSION = 'bedrock-2023-05-31';
/** The path of the Messages API that counts tokens. */
const COUNT_PATH = '/messages/count_tokens';

/**
 * Creates the path and the body of InvokeModel, InvokeModelWithResponseStream or CountTokens for a
 * request of the Messages API. The model is in the path, and the operation says whether the answer
 * is a stream. Betas move from their header into the body.
 */
export function createInvocation({
  operation,
  request,
  model,
  headers,
}: ProviderCall): Omit<PlatformRequest, 'headers'> {
  const [vendorPath] = operation.createPath(request, model).split('?');
  const isCount = vendorPath === COUNT_PATH;
  const betas = readBetas(headers);
  const message = createHostedMessageBody(operation.createBody(request, model), {
    version: VERSION,
    removed: ['model', 'stream'],
    added: {
      ...(betas.length > 0 && { anthropic_beta: betas }),
      ...(isCount && { max_tokens: findValidLimit(request) }),
    },
  });
  const path = `/model/${encodeModelId(model)}`;
  if (isCount) return { path: `${path}/count-tokens`, body: createCountBody(message) };
  return { path: `${path}/${request.isStream ? 'invoke-with-response-stream' : 'invoke'}`, body: message };
}

const readBetas = ({ 'anthropic-beta': betas }: IncomingHttpHeaders): string[] =>
  String(betas ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');

/** CountTokens checks the body as InvokeModel does: a limit is required, above that of thinking. */
function findValidLimit({ received }: ModelRequest): number {
  const { thinking } = received.body;
  const budget = isJsonObject(thinking) ? thinking['budget_tokens'] : undefined;
  return typeof budget === 'number' && Number.isInteger(budget) ? budget + 1 : 1;
}

const createCountBody = (message: Uint8Array): Uint8Array =>
  Buffer.from(JSON.stringify({ input: { invokeModel: { body: Buffer.from(message).toString('base64') } } }));
