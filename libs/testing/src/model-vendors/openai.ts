import { createId } from './identifiers.ts';
import { createChatCompletion } from './openai-chat.ts';
import { createEmbeddings } from './openai-embeddings.ts';
import { createResponse } from './openai-responses.ts';
import { VendorRefusal } from './refusal.ts';
import type { Vendor, VendorOperation, VendorRequest } from './reply.ts';

const REFUSALS: Record<number, [type: string, code: string | null, message: string]> = {
  400: ['invalid_request_error', null, 'The request is invalid.'],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  403: ['invalid_request_error', 'unsupported_country_region_territory', 'Country, region, or territory not supported'],
  404: ['invalid_request_error', 'model_not_found', 'The model does not exist or you do not have access to it.'],
  408: ['invalid_request_error', null, 'The request timed out.'],
  409: ['invalid_request_error', null, 'The request conflicts with another one.'],
  413: ['invalid_request_error', null, 'The request is too large.'],
  429: [
    'requests',
    'rate_limit_exceeded',
    'Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.',
  ],
  503: ['service_unavailable_error', null, 'The engine is currently overloaded, please try again later'],
};

const refuseWith = (status: number): VendorRefusal => {
  const fallback = ['server_error', null, 'The server had an error while processing your request.'] as const;
  const [type, code, message] = REFUSALS[status] ?? fallback;
  return new VendorRefusal(status, type, message, code);
};

const refuseKey = (code: string | null, message: string): VendorRefusal =>
  new VendorRefusal(401, 'invalid_request_error', message, code);

function authenticate({ headers, query }: VendorRequest, keys: ReadonlySet<string>): string {
  for (const foreign of ['x-api-key', 'x-goog-api-key'])
    if (headers[foreign] !== undefined)
      throw new VendorRefusal(400, 'invalid_request_error', `A credential is in ${foreign}.`, 'sim_foreign_credential');
  if (query.has('key'))
    throw new VendorRefusal(400, 'invalid_request_error', 'A credential is in the query.', 'sim_foreign_credential');
  const key = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
  if (key === undefined)
    throw refuseKey(null, "You didn't provide an API key. Provide it in an Authorization header using Bearer auth.");
  if (!keys.has(key)) throw refuseKey('invalid_api_key', `Incorrect API key provided: ${key.slice(0, 8)}***.`);
  return key;
}

function findOperation({ method, path }: VendorRequest, models: readonly string[]): VendorOperation {
  const createModel = (id: string) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'openai' });
  if (method === 'GET' && path === '/v1/models')
    return () => ({ kind: 'json', body: { object: 'list', data: models.map(createModel) } });
  const named = /^\/v1\/models\/([^/]+)$/.exec(path)?.[1];
  if (method === 'GET' && named !== undefined)
    return () => ({ kind: 'json', body: createModel(requireModel(decodeURIComponent(named), models)) });
  const operations: Record<string, VendorOperation> = {
    '/v1/chat/completions': createChatCompletion((model) => requireModel(model, models)),
    '/v1/responses': createResponse((model) => requireModel(model, models)),
    '/v1/embeddings': createEmbeddings((model) => requireModel(model, models)),
  };
  const operation = operations[path];
  if (operation === undefined) throw new VendorRefusal(404, 'invalid_request_error', `Invalid URL (${method} ${path})`);
  if (method !== 'POST')
    throw new VendorRefusal(
      405,
      'invalid_request_error',
      `Not allowed to ${method} on ${path}.`,
      'method_not_supported',
    );
  return operation;
}

function requireModel(model: string, models: readonly string[]): string {
  if (models.includes(model)) return model;
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  throw new VendorRefusal(404, 'invalid_request_error', message, 'model_not_found');
}

/** OpenAI: chat completions, responses, embeddings and models. */
export const openai: Vendor = {
  name: 'openai',
  authenticate,
  findOperation,
  refuseWith,
  refuseBody: (problem, detail) =>
    problem === 'json'
      ? new VendorRefusal(400, 'invalid_request_error', `We could not parse the JSON body of your request. (${detail})`)
      : new VendorRefusal(
          400,
          'invalid_request_error',
          `Unsupported content type: '${detail}'. This API method only accepts 'application/json' requests.`,
          'unsupported_content_type',
        ),
  createRequestId: () => createId('req_', 32),
  createHeaders: (requestId) => ({
    'x-request-id': requestId,
    'openai-version': '2020-10-01',
    'openai-organization': 'org-simulated',
    'openai-processing-ms': '1',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-remaining-tokens': '1999000',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': '30ms',
  }),
  createErrorBody: ({ message, type, param, code }) => ({ error: { message, type, param, code } }),
};
