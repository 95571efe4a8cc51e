import { randomUUID } from 'node:crypto';
import { countMessageTokens, createMessage } from './anthropic-messages.ts';
import { authenticate, refuseBody, refuseWith } from './bedrock-request.ts';
import { encodeReply } from './bedrock-stream.ts';
import { readDirectives } from './directives.ts';
import { createChatCompletion } from './openai-chat.ts';
import { VendorRefusal } from './refusal.ts';
import type { Reply, Vendor, VendorCall, VendorOperation, VendorRequest } from './reply.ts';

/** The betas that InvokeModel accepts. */
const BETAS = new Set(['context-1m-2025-08-07', 'interleaved-thinking-2025-05-14', 'token-efficient-tools-2025-02-19']);
const VERSION = 'bedrock-2023-05-31';
const MODEL_PATH = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream|count-tokens)$/;
const ACCEPTED = new Set([undefined, '*/*', 'application/json']);

function findOperation({ method, path, headers }: VendorRequest, models: readonly string[]): VendorOperation {
  const unknown = new VendorRefusal(404, 'UnknownOperationException', 'The operation does not exist.');
  if (method !== 'POST') throw unknown;
  if (path === '/openai/v1/chat/completions') return createChatCompletion((model) => requireModel(model, models));
  const [, segment = '', operation] = MODEL_PATH.exec(path) ?? [];
  if (operation === undefined) throw unknown;
  const model = decodeURIComponent(segment);
  // The SDKs of AWS encode colons and slashes, those of Anthropic slashes only.
  const encoded = encodeURIComponent(model);
  if (segment !== encoded && segment !== encoded.replaceAll('%3A', ':')) throw unknown;
  requireModel(model, models);
  if (!ACCEPTED.has(headers['accept'])) throw refuseBody('The requested accept type is not supported.');
  for (const header of ['anthropic-version', 'anthropic-beta'])
    if (headers[header] !== undefined) throw refuseBody(`The header ${header} has no meaning here.`);
  return operation === 'count-tokens' ? countTokens(model) : invoke(model, operation === 'invoke-with-response-stream');
}

function requireModel(model: string, models: readonly string[]): string {
  if (models.includes(model)) return model;
  throw refuseBody('The provided model identifier is invalid.');
}

/** The name of a model of Anthropic without region, vendor and version. */
const nameModel = (id: string): string => /anthropic\.(.+)-v\d+:\d+$/.exec(id)?.[1] ?? id;

const invoke =
  (id: string, stream: boolean): VendorOperation =>
  (call) => {
    const body = { ...requireMessage(call.body), model: nameModel(id), stream };
    return encodeReply(
      runOperation(
        createMessage((model) => model),
        { ...call, body },
      ),
    );
  };

/** CountTokens knows models, and no inference profiles. */
const countTokens =
  (id: string): VendorOperation =>
  (call) => {
    if (!id.startsWith('anthropic.')) throw refuseBody("The provided model doesn't support counting tokens.");
    const { input } = call.body as { readonly input?: { readonly invokeModel?: { readonly body?: unknown } } };
    const encoded = input?.invokeModel?.body;
    if (typeof encoded !== 'string') throw refuseBody('input: Field required');
    const text = Buffer.from(encoded, 'base64').toString();
    const { max_tokens: limit, ...message } = requireMessage(JSON.parse(text));
    if (typeof limit !== 'number') throw refuseBody('max_tokens: Field required');
    const directives = readDirectives(text, undefined);
    const counted = runOperation(
      countMessageTokens((model) => model),
      {
        ...call,
        directives,
        body: { ...message, model: nameModel(id) },
      },
    );
    const { input_tokens: inputTokens } = (counted as { readonly body: { readonly input_tokens: number } }).body;
    return { kind: 'json', body: { inputTokens } };
  };

/** Checks the members that differ from the Messages API, and takes them away. */
function requireMessage(body: unknown): Record<string, unknown> {
  const { anthropic_version: version, anthropic_beta: betas = [], ...message } = body as Record<string, unknown>;
  for (const name of ['model', 'stream'])
    if (name in message) throw refuseBody(`${name}: Extra inputs are not permitted`);
  if (version !== VERSION) throw refuseBody(`anthropic_version: Input should be '${VERSION}'`);
  if (!Array.isArray(betas)) throw refuseBody('anthropic_beta: Input should be a valid list');
  if (!betas.every((beta) => BETAS.has(beta as string))) throw refuseBody('invalid beta flag');
  return message;
}

/** Refusals of the model have the code of Bedrock. */
function runOperation(operation: VendorOperation, call: VendorCall): Reply {
  try {
    return operation(call);
  } catch (error) {
    throw error instanceof VendorRefusal ? refuseBody(error.message) : error;
  }
}

/** Amazon Bedrock: InvokeModel with and without a stream, CountTokens, and chat completions. */
export const bedrock: Vendor = {
  name: 'bedrock',
  authenticate,
  findOperation,
  refuseWith,
  refuseBody: (problem, detail) => refuseBody(`Malformed input request (${problem}): ${detail}`),
  createRequestId: () => randomUUID(),
  createHeaders: (requestId) => ({
    'x-amzn-requestid': requestId,
    'x-amzn-bedrock-content-type': 'application/json',
    'x-amzn-bedrock-invocation-latency': '12',
  }),
  createErrorHeaders: ({ type }) => ({
    'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
  }),
  createErrorBody: ({ message }) => ({ message }),
};
