import { countMessageTokens, createMessage } from './anthropic-messages.ts';
import { requireVersion } from './anthropic-version.ts';
import { createId } from './identifiers.ts';
import { VendorRefusal } from './refusal.ts';
import type { Vendor, VendorOperation, VendorRequest } from './reply.ts';

const REFUSALS: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'The request is invalid.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'The requested resource was not found.'],
  408: ['timeout_error', 'The request timed out.'],
  409: ['invalid_request_error', 'The request conflicts with another one.'],
  413: ['request_too_large', 'Request exceeds the maximum allowed number of bytes.'],
  429: ['rate_limit_error', 'This request would exceed your organization’s rate limit.'],
  504: ['timeout_error', 'The request timed out.'],
  529: ['overloaded_error', 'Overloaded'],
};

const refuseWith = (status: number): VendorRefusal => {
  const [type, message] = REFUSALS[status] ?? ['api_error', 'Internal server error'];
  return new VendorRefusal(status, type, message);
};

/** The key is in `x-api-key`, or as a bearer token, where the SDKs of 2026 put it. */
function authenticate({ headers, query }: VendorRequest, keys: ReadonlySet<string>): string {
  const refuse = (message: string) => new VendorRefusal(401, 'authentication_error', message);
  if (headers['x-goog-api-key'] !== undefined || query.has('key'))
    throw refuse('A credential of another vendor is in the request.');
  const inHeader = headers['x-api-key'];
  const { authorization } = headers;
  const bearer = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (inHeader === undefined && authorization === undefined) throw refuse('x-api-key header is required');
  if (inHeader !== undefined && !keys.has(inHeader)) throw refuse('invalid x-api-key');
  if (authorization !== undefined && !keys.has(bearer ?? '')) throw refuse('Invalid bearer token');
  return inHeader ?? bearer!;
}

function findOperation({ method, path, headers }: VendorRequest, models: readonly string[]): VendorOperation {
  requireVersion(headers['anthropic-version']);
  const operations: Record<string, VendorOperation> = {
    'GET /v1/models': () => ({ kind: 'json', body: listModels(models) }),
    'POST /v1/messages': createMessage((model) => requireModel(model, models)),
    'POST /v1/messages/count_tokens': countMessageTokens((model) => requireModel(model, models)),
  };
  const named = /^\/v1\/models\/([^/]+)$/.exec(path)?.[1];
  if (method === 'GET' && named !== undefined)
    return () => ({ kind: 'json', body: createModel(requireModel(decodeURIComponent(named), models)) });
  const operation = operations[`${method} ${path}`];
  if (operation !== undefined) return operation;
  if (operations[`POST ${path}`] !== undefined)
    throw new VendorRefusal(405, 'invalid_request_error', 'Method Not Allowed');
  throw new VendorRefusal(404, 'not_found_error', 'Not Found');
}

function requireModel(model: string, models: readonly string[]): string {
  if (models.includes(model)) return model;
  throw new VendorRefusal(404, 'not_found_error', `model: ${model}`);
}

const createModel = (id: string) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: '2026-01-01T00:00:00Z',
  capabilities: null,
  deprecated_at: null,
  lifecycle: 'active',
  line: null,
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  retires_at: null,
});

const listModels = (models: readonly string[]) => ({
  data: models.map(createModel),
  has_more: false,
  first_id: models[0] ?? null,
  last_id: models.at(-1) ?? null,
});

/** Anthropic: messages, token counts and models. */
export const anthropic: Vendor = {
  name: 'anthropic',
  authenticate,
  findOperation,
  refuseWith,
  refuseBody: (problem, detail) =>
    problem === 'json'
      ? new VendorRefusal(400, 'invalid_request_error', `The request body is not valid JSON: ${detail}`)
      : new VendorRefusal(400, 'invalid_request_error', `Invalid content type: ${detail}; use application/json`),
  createRequestId: () => createId('req_011', 21),
  createHeaders: (requestId) => ({
    'request-id': requestId,
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
    'anthropic-ratelimit-requests-limit': '4000',
    'anthropic-ratelimit-requests-remaining': '3999',
    'anthropic-ratelimit-requests-reset': new Date(Date.now() + 1000).toISOString(),
    'anthropic-ratelimit-tokens-limit': '4000000',
    'anthropic-ratelimit-tokens-remaining': '3999000',
    'anthropic-ratelimit-tokens-reset': new Date(Date.now() + 1000).toISOString(),
  }),
  createErrorBody: ({ type, message }, requestId) => ({
    type: 'error',
    error: { type, message },
    request_id: requestId,
  }),
};
