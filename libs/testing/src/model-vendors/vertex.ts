import { anthropic } from './anthropic.ts';
import { createId } from './identifiers.ts';
import { google, refuseAsGoogle } from './google.ts';
import { createChatCompletion } from './openai-chat.ts';
import { VendorRefusal } from './refusal.ts';
import type { Vendor, VendorOperation, VendorRequest } from './reply.ts';
import { findMessageOperation } from './vertex-messages.ts';
import { findContentOperation } from './vertex-contents.ts';

const PREFIX = '/v1/projects/sim-project/locations/us-central1/';
const MODEL_PATH = /^publishers\/(google|anthropic)\/models\/([^/:]+):(\w+)$/;
const OPENAI_PATH = 'endpoints/openapi/chat/completions';
/** The statuses that the front end of Google answers, also for models of Anthropic. */
const FRONT_END: ReadonlySet<number> = new Set([401, 403, 404, 429]);

const isMessagePath = ({ path }: VendorRequest) => path.includes('/publishers/anthropic/');
const isOpenAiPath = ({ path }: VendorRequest) => path.endsWith(OPENAI_PATH);

function authenticate({ headers, query }: VendorRequest, tokens: ReadonlySet<string>): string {
  for (const foreign of ['x-api-key', 'x-goog-api-key', 'api-key'])
    if (headers[foreign] !== undefined || query.has('key')) throw refuseAsGoogle(401);
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
  if (token !== undefined && tokens.has(token)) return token;
  const message =
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.';
  throw new VendorRefusal(401, 'UNAUTHENTICATED', message, 'ACCESS_TOKEN_TYPE_UNSUPPORTED');
}

function findOperation(request: VendorRequest, models: readonly string[]): VendorOperation {
  const { method, path } = request;
  if (method !== 'POST') throw refuseAsGoogle(404);
  if (!path.startsWith(PREFIX)) throw refuseAsGoogle(/^\/v1\/projects\//.test(path) ? 403 : 404);
  const rest = path.slice(PREFIX.length);
  if (rest === OPENAI_PATH) return serveChat(models);
  const [, publisher, encoded = '', name = ''] = MODEL_PATH.exec(rest) ?? [];
  const model = decodeURIComponent(encoded);
  const operation = publisher === 'anthropic' ? findMessageOperation(request, model, name) : findContentOperation(name);
  if (publisher === undefined || operation === undefined) throw refuseAsGoogle(404);
  if (model !== 'count-tokens') requireModel(model, models);
  return (call) => {
    call.record.model = model;
    return operation(call);
  };
}

/** Chat completions name the publisher with the model: `google/gemini-2.5-flash`. */
const serveChat = (models: readonly string[]): VendorOperation =>
  createChatCompletion((model) => {
    if (!model.startsWith('google/')) throw refuseAsGoogle(400);
    requireModel(model.slice('google/'.length), models);
    return model;
  });

function requireModel(model: string, models: readonly string[]): void {
  if (models.includes(model)) return;
  const message = `Publisher Model \`projects/sim-project/locations/us-central1/publishers/*/models/${model}\` was not found or your project does not have access to it.`;
  throw new VendorRefusal(404, 'NOT_FOUND', message);
}

/** An error of the chat completions of Google is in a list, with a status of Google. */
function createChatError({ status, message }: VendorRefusal): object {
  const { type } = refuseAsGoogle(status);
  return [{ error: { code: status, message, status: type } }];
}

/** Google Vertex AI: models of Google and of Anthropic, and chat completions. */
export const vertex: Vendor = {
  name: 'vertex',
  authenticate,
  findOperation,
  refuseWith: (status, request) =>
    isMessagePath(request) && !FRONT_END.has(status) ? anthropic.refuseWith(status, request) : refuseAsGoogle(status),
  refuseBody: google.refuseBody,
  createRequestId: () => createId('req_vrtx_011', 21),
  createHeaders: (requestId) => ({
    'request-id': requestId,
    'x-vertex-ai-internal-prediction-backend': 'harpoon',
    vary: 'Origin, X-Origin, Referer',
    server: 'scaffolding on HTTPServer2',
  }),
  createErrorBody: (refusal, requestId, request) => {
    if (isOpenAiPath(request)) return createChatError(refusal);
    const isGoogle = refusal.type === refusal.type.toUpperCase();
    return (isGoogle ? google : anthropic).createErrorBody(refusal, requestId, request);
  },
};
