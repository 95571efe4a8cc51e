import { findAwsFault } from '../aws-signature.ts';
import { VendorRefusal } from './refusal.ts';
import type { VendorRequest } from './reply.ts';

/** The keys that the simulator of Bedrock accepts, as JSON. */
export const BEDROCK_KEYS = {
  accessKeyId: 'ASIASIMULATEDKEY',
  secretAccessKey: 'simulated/Secret+Access/Key',
  sessionToken: 'simulated//session+token==',
};

/** The API key that the simulator of Bedrock accepts beside the keys. */
export const BEDROCK_API_KEY = 'bedrock-api-key-simulated';

const SCOPE = { region: 'us-east-1', service: 'bedrock' };

const REFUSALS: Record<number, [type: string, message: string]> = {
  400: ['ValidationException', 'The request is invalid.'],
  403: ['AccessDeniedException', 'User is not authorized to perform: bedrock:InvokeModel on resource'],
  404: ['ResourceNotFoundException', 'Could not resolve the foundation model from the provided model identifier.'],
  408: ['ModelTimeoutException', 'Model has timed out in processing the request. Try your request again.'],
  424: ['ModelErrorException', 'The system encountered an unexpected error during processing. Try your request again.'],
  429: ['ThrottlingException', 'Too many requests, please wait before trying again.'],
  500: ['InternalServerException', 'The system encountered an unexpected error during processing.'],
  503: ['ServiceUnavailableException', 'Bedrock is unable to process your request.'],
  529: ['SimulatedException', 'Overloaded'],
};

/** The refusal of a status. */
export function refuseWith(status: number): VendorRefusal {
  const [type, message] = REFUSALS[status] ?? ['SimulatedException', 'The request failed.'];
  return new VendorRefusal(status, type, message);
}

export const refuseBody = (message: string): VendorRefusal => new VendorRefusal(400, 'ValidationException', message);

/** Checks an API key, or a signature by code that the gateway does not share. */
export function authenticate({ method, headers, query, record }: VendorRequest, keys: ReadonlySet<string>): string {
  const refuse = (type: string, message: string) => new VendorRefusal(403, type, message);
  for (const foreign of ['x-api-key', 'x-goog-api-key', 'api-key'])
    if (headers[foreign] !== undefined) throw refuse('UnrecognizedClientException', `A credential is in ${foreign}.`);
  if (query.has('key')) throw refuse('UnrecognizedClientException', 'A credential is in the query.');
  const { authorization } = headers;
  if (authorization === undefined || authorization === '')
    throw refuse('MissingAuthenticationTokenException', 'Missing Authentication Token');
  const bearer = /^Bearer (.+)$/.exec(authorization)?.[1];
  if (bearer === BEDROCK_API_KEY) return bearer;
  if (bearer !== undefined) throw refuse('AccessDeniedException', 'Authentication failed: API Key is not valid.');
  const accepted = [...keys].map((text) => JSON.parse(text) as typeof BEDROCK_KEYS);
  const { url, body } = record;
  const fault = findAwsFault({ method, url, headers, body }, SCOPE, (id) =>
    accepted.find(({ accessKeyId }) => accessKeyId === id),
  );
  if (fault === undefined) return /Credential=([^/]+)/.exec(authorization)?.[1] ?? '';
  if (fault === 'unknown keys')
    throw refuse('UnrecognizedClientException', 'The security token included in the request is invalid.');
  throw refuse('InvalidSignatureException', `The request signature we calculated does not match: ${fault}`);
}
