import { createClient } from '@gatehouse/contracts-ai-gateway-mgmt/client';
import type { components } from '@gatehouse/contracts-ai-gateway-mgmt/schema';
import { parseJsonResponse } from '../../json/json-response.ts';
import type { TokenSource } from '../session/access.ts';
import { createTokenFetch } from '../session/token-fetch.ts';
import { createRefusalError, type Operation } from './refusal-errors.ts';
import { readRefusal } from './refusal.ts';
import { createForeignAnswerError, createUnreachableError, type ManagementSources } from './service-errors.ts';

/** The schemas of the contract of AI gateway management by name. */
export type Schemas = components['schemas'];

/** A client of AI gateway management with the caller's token. */
export interface Management extends ManagementSources {
  readonly api: ReturnType<typeof createClient>;
}

/** Creates a client of AI gateway management. */
export function createManagement(sources: ManagementSources, tokens: TokenSource): Management {
  const send = createTokenFetch(tokens, (cause) => createUnreachableError(sources, cause));
  return {
    ...sources,
    api: createClient({
      baseUrl: sources.url,
      fetch: async (request) =>
        parseJsonResponse(await send(request), (response) => createForeignAnswerError(sources, response.status)),
    }),
  };
}

/** The result of a call of the typed client. */
interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** A success: its data, and the ETag of the object. */
export interface Answer<T> {
  readonly data: T;
  readonly etag: string;
}

/**
 * Returns the data of an answer.
 * @param isExpected whether the data has the form of the contract, as far as the command uses it
 * @throws CliError for a refusal, and for an answer of another service
 */
export async function requireAnswer<T>(
  management: Management,
  call: Promise<Outcome<T>>,
  operation: Operation,
  isExpected: (data: unknown) => boolean = () => true,
): Promise<Answer<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw createRefusalError(management, readRefusal(response, error), operation);
  if (!isExpected(data)) throw createForeignAnswerError(management, response.status);
  return { data: data as T, etag: response.headers.get('etag') ?? '' };
}
