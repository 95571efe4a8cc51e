import { countContent, embedContent, embedContents } from './google-embeddings.ts';
import { generateContent } from './google-generate.ts';
import { createId } from './identifiers.ts';
import { VendorRefusal } from './refusal.ts';
import type { Vendor, VendorOperation, VendorRequest } from './reply.ts';

const REFUSALS: Record<number, [type: string, message: string]> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  408: ['DEADLINE_EXCEEDED', 'The request timed out.'],
  409: ['ABORTED', 'The operation was aborted.'],
  413: ['INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'],
  429: ['RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  504: ['DEADLINE_EXCEEDED', 'The request timed out. Please try again.'],
};

/** The refusal that Google sends with a status. */
export const refuseAsGoogle = (status: number): VendorRefusal => {
  const [type, message] = REFUSALS[status] ?? ['INTERNAL', 'An internal error has occurred.'];
  return new VendorRefusal(status, type, message);
};

function authenticate({ headers, query }: VendorRequest, keys: ReadonlySet<string>): string {
  if (headers['authorization'] !== undefined || headers['x-api-key'] !== undefined) {
    const message = 'Request had invalid authentication credentials. Expected OAuth 2 access token.';
    throw new VendorRefusal(401, 'UNAUTHENTICATED', message, 'ACCESS_TOKEN_TYPE_UNSUPPORTED');
  }
  const inHeader = headers['x-goog-api-key'];
  const inQuery = query.get('key') ?? undefined;
  if (inHeader !== undefined && inQuery !== undefined && inHeader !== inQuery)
    throw new VendorRefusal(400, 'INVALID_ARGUMENT', 'Multiple authentication credentials received.');
  const key = inHeader ?? inQuery;
  if (key === undefined) {
    const message =
      "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity.";
    throw new VendorRefusal(403, 'PERMISSION_DENIED', message);
  }
  if (keys.has(key)) return key;
  throw new VendorRefusal(
    400,
    'INVALID_ARGUMENT',
    'API key not valid. Please pass a valid API key.',
    'API_KEY_INVALID',
  );
}

const METHODS: Record<string, VendorOperation> = {
  generateContent,
  streamGenerateContent: generateContent,
  countTokens: countContent,
  embedContent,
  batchEmbedContents: embedContents,
};

function findOperation({ method, path }: VendorRequest, models: readonly string[]): VendorOperation {
  if (method === 'GET' && /^\/v1(beta)?\/models$/.test(path))
    return () => ({ kind: 'json', body: { models: models.map(createModel) } });
  const [, encoded = '', name] = /^\/v1(?:beta)?\/models\/([^/:]+)(?::(\w+))?$/.exec(path) ?? [];
  const model = decodeURIComponent(encoded);
  if (method === 'GET' && encoded !== '' && name === undefined) {
    requireModel(model, models);
    return () => ({ kind: 'json', body: createModel(model) });
  }
  const operation = METHODS[name ?? ''];
  if (operation === undefined || method !== 'POST') throw refuseAsGoogle(404);
  requireModel(model, models);
  return (call) => {
    call.record.model = model;
    return operation(call);
  };
}

function requireModel(model: string, models: readonly string[]): void {
  if (models.includes(model)) return;
  const message = `models/${model} is not found for this API version, or is not supported for generateContent.`;
  throw new VendorRefusal(404, 'NOT_FOUND', message);
}

const createModel = (id: string) => ({
  name: `models/${id}`,
  version: '001',
  displayName: id,
  description: 'A simulated model',
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens', 'embedContent'],
  temperature: 1,
  maxTemperature: 2,
  topP: 0.95,
  topK: 64,
});

/** Google Gemini, versions v1 and v1beta: content, streams, token counts, embeddings and models. */
export const google: Vendor = {
  name: 'google',
  authenticate,
  findOperation,
  refuseWith: refuseAsGoogle,
  refuseBody: (problem, detail) =>
    problem === 'json'
      ? new VendorRefusal(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. ${detail}`)
      : new VendorRefusal(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. Content type ${detail} is unknown.`),
  createRequestId: () => createId('', 22),
  createHeaders: (requestId) => ({
    'x-gemini-request-id': requestId,
    server: 'scaffolding on HTTPServer2',
    vary: 'Origin, X-Origin, Referer',
    'server-timing': 'gfet4t7; dur=1',
    'x-content-type-options': 'nosniff',
  }),
  createErrorBody: ({ status, type, message, code, param }, _requestId, { path, query }) => {
    const violation = { ...(param !== null && { field: param }), description: message };
    const details =
      code !== null
        ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'googleapis.com' }]
        : [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [violation] }];
    const hasDetails = code !== null || (status === 400 && type === 'INVALID_ARGUMENT');
    const body = { error: { code: status, message, status: type, ...(hasDetails && { details }) } };
    return path.endsWith(':streamGenerateContent') && query.get('alt') !== 'sse' ? [body] : body;
  },
};
