import { createFilterFrame, createFilterResults } from './azure-content-filter.ts';
import { createId } from './identifiers.ts';
import { createChatCompletion } from './openai-chat.ts';
import { createEmbeddings } from './openai-embeddings.ts';
import { createResponse } from './openai-responses.ts';
import { VendorRefusal } from './refusal.ts';
import type { Reply, Vendor, VendorCall, VendorOperation, VendorRequest } from './reply.ts';

/** The deployments, and their models. */
const DEPLOYMENTS: Readonly<Record<string, string>> = {
  'chat-prod': 'gpt-5.4',
  'chat-small': 'gpt-5.4-mini',
  'embeddings-prod': 'text-embedding-3-small',
};

/** The versions that began to have a part of the API, as they sort. */
const FIRST_VERSION = { streamOptions: '2024-09-01', responses: '2025-03-01' };
const VERSION = /^20\d\d-\d\d-\d\d(-preview)?$/;

const REFUSALS: Record<number, [code: string, message: string]> = {
  401: [
    '401',
    'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
  ],
  403: ['403', 'Access denied due to Virtual Network/Firewall rules.'],
  404: ['404', 'Resource not found'],
  408: ['408', 'The operation was timeout.'],
  429: ['429', 'Rate limit is exceeded. Try again in 1 seconds.'],
  503: ['503', 'The service is temporarily unable to process your request. Please try again later.'],
};

const refuse = (status: number, code: string, message: string) => new VendorRefusal(status, '', message, code);

/** 400 is a prompt that the content filter refuses. */
function refuseWith(status: number): VendorRefusal {
  if (status === 400) {
    const message =
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.";
    return new VendorRefusal(400, '', message, 'content_filter', 'prompt');
  }
  const [code, message] = REFUSALS[status] ?? ['InternalServerError', 'Internal server error'];
  return refuse(status, code, message);
}

function authenticate({ headers, query }: VendorRequest, keys: ReadonlySet<string>): string {
  for (const foreign of ['authorization', 'x-api-key', 'x-goog-api-key'])
    if (headers[foreign] !== undefined) throw refuse(400, 'sim_foreign_credential', `A credential is in ${foreign}.`);
  if (query.has('key')) throw refuse(400, 'sim_foreign_credential', 'A credential is in the query.');
  const key = headers['api-key'];
  if (key === undefined || !keys.has(key)) throw refuseWith(401);
  return key;
}

function findOperation({ method, path, query }: VendorRequest): VendorOperation {
  const version = readVersion(query);
  const [, deployment, name] = /^\/openai\/deployments\/([^/]+)\/(chat\/completions|embeddings)$/.exec(path) ?? [];
  if (method !== 'POST') throw refuseWith(404);
  if (deployment !== undefined) {
    const model = requireDeployment(deployment);
    const operation = name === 'embeddings' ? createEmbeddings(() => model) : createChatCompletion(() => model);
    return (call) => serveDeployment(operation, model, version, call);
  }
  if (path !== '/openai/responses') throw refuseWith(404);
  if (version < FIRST_VERSION.responses)
    throw refuse(
      400,
      'BadRequest',
      'Azure OpenAI Responses API is enabled only for api-version 2025-03-01-preview and later',
    );
  return createResponse(requireDeployment);
}

/** Requires exactly one version: names of parameters have no case. */
function readVersion(query: URLSearchParams): string {
  const versions = [...query].filter(([name]) => name.toLowerCase() === 'api-version').map(([, value]) => value);
  const [version] = versions;
  if (version === undefined || versions.length > 1 || !VERSION.test(version)) throw refuseWith(404);
  return version;
}

function requireDeployment(deployment: string): string {
  const model = DEPLOYMENTS[deployment];
  if (model !== undefined) return model;
  throw refuse(
    404,
    'DeploymentNotFound',
    'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
  );
}

/** The model of the body is ignored, as the path names the deployment. */
function serveDeployment(operation: VendorOperation, model: string, version: string, call: VendorCall): Reply {
  const body = { ...(call.body as object), model };
  if ('stream_options' in body && version < FIRST_VERSION.streamOptions)
    throw new VendorRefusal(
      400,
      'invalid_request_error',
      'Unrecognized request argument supplied: stream_options',
      null,
    );
  return addFilterResults(operation({ ...call, body }));
}

/** A chat completion has the results of the content filter, a stream in its first chunk. */
function addFilterResults(reply: Reply): Reply {
  if (reply.kind === 'stream') return { ...reply, frames: prependFrame(reply.frames) };
  const body = reply.body as { readonly object: string };
  return body.object === 'chat.completion'
    ? { ...reply, body: { ...body, prompt_filter_results: createFilterResults() } }
    : reply;
}

function* prependFrame<T>(frames: Iterable<T>): Generator<T | ReturnType<typeof createFilterFrame>> {
  yield createFilterFrame();
  yield* frames;
}

/** Azure OpenAI, versioned API: chat completions and embeddings of deployments, responses. */
export const azure: Vendor = {
  name: 'azure',
  authenticate,
  findOperation,
  refuseWith,
  refuseBody: (problem, detail) => refuse(400, 'BadRequest', `The body is invalid (${problem}): ${detail}`),
  createRequestId: () => crypto.randomUUID(),
  createHeaders: (requestId) => ({
    'apim-request-id': requestId,
    'x-ms-region': 'Sweden Central',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-remaining-tokens': '1999000',
    'azureml-model-session': createId('d', 20),
  }),
  createErrorBody: ({ message, type, param, code, status }) => ({
    error: {
      ...(type !== '' && { type }),
      ...(param !== null && { param }),
      code,
      message,
      ...(code === 'content_filter' && {
        status,
        innererror: {
          code: 'ResponsibleAIPolicyViolation',
          content_filter_result: { violence: { filtered: true, severity: 'medium' } },
        },
      }),
    },
  }),
};
