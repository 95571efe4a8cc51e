import type { IncomingHttpHeaders } from 'node:http';
import type { WireFormat } from '../formats/operation.ts';

/**
 * The headers of clients that providers receive, by format. All others stay here: credentials,
 * cookies, organizations and idempotency keys belong to the client, not to the company’s account.
 */
const PASSED: Readonly<Record<WireFormat, readonly string[]>> = {
  openai: ['openai-beta'],
  anthropic: ['anthropic-version', 'anthropic-beta'],
  google: [],
};

/**
 * The headers of a provider's response that clients receive. `request-id` is that of Anthropic: its
 * errors repeat it. In the other formats clients see the id of the gateway.
 */
const RETURNED = [
  'content-type',
  'content-length',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'request-id',
  'openai-processing-ms',
  'cache-control',
];

const CREDENTIAL: Readonly<Record<WireFormat, (credential: string) => readonly [string, string]>> = {
  openai: (credential) => ['authorization', `Bearer ${credential}`],
  anthropic: (credential) => ['x-api-key', credential],
  google: (credential) => ['x-goog-api-key', credential],
};

/** The facts from which the headers of a request to a provider are made. */
export interface ProviderHeaderFacts {
  readonly format: WireFormat;
  /** The headers of the client. */
  readonly headers: IncomingHttpHeaders;
  /** Of the provider; undefined for one that needs none. */
  readonly credential: string | undefined;
  /** Identifies the attempt in the logs of the provider. */
  readonly attemptId: string;
}

/** Creates the headers of a request to a provider. */
export function createProviderHeaders({
  format,
  headers,
  credential,
  attemptId,
}: ProviderHeaderFacts): Record<string, string> {
  const created: Record<string, string> = {
    'content-type': 'application/json',
    accept: headers.accept ?? '*/*',
    // A compressed response would hide its usage.
    'accept-encoding': 'identity',
    'user-agent': 'gatehouse-ai-gateway',
    'x-client-request-id': attemptId,
  };
  for (const name of PASSED[format]) {
    const value = headers[name];
    if (typeof value === 'string') created[name] = value;
  }
  if (credential !== undefined) {
    const [name, value] = CREDENTIAL[format](credential);
    created[name] = value;
  }
  return created;
}

/** Selects the headers of a provider's response for the client. */
export function selectResponseHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const selected: Record<string, string> = {};
  for (const name of RETURNED) {
    const value = headers[name];
    if (typeof value === 'string') selected[name] = value;
  }
  return selected;
}
