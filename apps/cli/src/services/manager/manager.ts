import { createClient } from '@gatehouse/contracts-enterprise-manager/client';
import type { components } from '@gatehouse/contracts-enterprise-manager/schema';
import { printable } from '../../terminal/output.ts';
import { type ExpectedFields, hasFields } from '../../json/expected-fields.ts';
import { parseJsonResponse } from '../../json/json-response.ts';
import type { TokenSource } from '../session/access.ts';
import { ManagerUnavailableError, unreachable } from '../session/discovery.ts';
import { createRefusedTokenError } from '../session/refused-token.ts';
import { createTokenFetch, sendStreamed } from '../session/token-fetch.ts';
import { type CliError, UsageError, ConflictError, RefusedError, CommandFailedError } from '../../errors/cli-error.ts';

/** The schemas of the manager's contract by name. */
export type Schemas = components['schemas'];

/** The flags or variables that supplied the address and the token without a login, for advice. */
export interface Sources {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  /** The manager whose sessions are used; only if the client is one of a connector gateway. */
  readonly manager?: string | undefined;
}

/** A client of one enterprise manager, or of a gateway beside it, with the caller's token. */
export interface Manager {
  /** The manager's address, for messages. */
  readonly url: string;
  readonly sources: Sources;
  readonly api: ReturnType<typeof createClient>;
  /** Sends a request. @throws CliError when the manager does not answer */
  send(request: Request): Promise<Response>;
  /**
   * Sends a GET request, for responses whose exact bytes matter.
   * @throws CliError when the manager does not answer
   */
  get(path: string, headers: Readonly<Record<string, string>>): Promise<Response>;
  /** The same for responses of any length: the caller reads the body while it arrives. */
  stream(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
}

/**
 * A client of the manager at `url` with the tokens of `tokens`. A rejected token is replaced once.
 */
export function managerAt(url: string, tokens: TokenSource, sources: Sources = {}): Manager {
  const send = createTokenFetch(tokens, (cause) =>
    sources.manager === undefined ? unreachable(url, cause, sources.url) : createUnreachableGatewayError(url, cause),
  );
  const check = (response: Response) => parseJsonResponse(response, (given) => notManagerError(url, given));
  return {
    url,
    sources,
    api: createClient({ baseUrl: url, fetch: async (request) => check(await send(request)) }),
    send: (request) => send(request),
    get: (path, headers) => send(new Request(`${url}${path}`, { headers })),
    stream: (path, headers, signal) => send(new Request(`${url}${path}`, { headers, signal }), sendStreamed),
  };
}

const createUnreachableGatewayError = (url: string, cause: unknown): CliError =>
  new ManagerUnavailableError(
    `The connector gateway at ${url} cannot be reached`,
    ['set GATEHOUSE_CONNECTOR_GATEWAY_URL to the address of its control plane'],
    cause,
  );

const notManagerError = (url: string, { status }: Response): CliError =>
  new CommandFailedError(`${url} does not answer like an enterprise manager (HTTP ${status})`, [
    'check --url: the address must not include /v1',
  ]);

/** The result of a call of the typed client. */
interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The expectations of a command about a response. */
interface Expected<T> {
  /** The fields that the command uses. */
  readonly fields?: ExpectedFields<T>;
  /** The command that lists the existing objects, for the message about a missing one. */
  readonly list?: string;
}

/**
 * Returns the data of a response.
 * @throws CliError with the manager's message and advice; also for a success without the expected
 * fields
 */
export async function readResponse<T>(
  manager: Manager,
  call: Promise<Outcome<T>>,
  { fields = {}, list }: Expected<NoInfer<T>> = {},
): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw toCliError(manager, response, error, list);
  if (!hasFields(data, fields)) throw notManagerError(manager.url, response);
  return data as T;
}

/** The message of a service whose configuration names no administrator. It has its own advice. */
const NO_ADMINISTRATORS_MESSAGE = 'admin auth not yet configured';

/**
 * The error for a response that is not a success.
 * @param list the command that lists the existing objects
 */
export function toCliError(manager: Manager, response: Response, body: unknown, list?: string): CliError {
  const said = typeof body === 'object' && body !== null && 'error' in body ? printable(String(body.error)) : '';
  const sentence = said === '' ? `${manager.url} answered HTTP ${response.status}` : said;
  const wait = /^\d{1,9}$/.exec(response.headers.get('retry-after') ?? '')?.[0];
  if (said === NO_ADMINISTRATORS_MESSAGE)
    return new CommandFailedError(sentence, [
      `set \`roles\` in ISSUERS of the service at ${manager.url} to map claims to the role admin`,
    ]);
  switch (response.status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return new UsageError(sentence);
    case 401:
      return createRefusedTokenError(
        {
          url: manager.url,
          manager: manager.sources.manager ?? manager.url,
          source: manager.sources.token,
          service: 'manager',
        },
        sentence,
      );
    case 403:
      return new RefusedError(sentence, ['gatehouse whoami   shows how the manager identifies you']);
    case 404:
      return new CommandFailedError(sentence, list === undefined ? [] : [list]);
    case 409:
    case 412:
      return new ConflictError(sentence);
    default:
      return new ManagerUnavailableError(sentence, wait === undefined ? [] : [`try again in ${wait} s`]);
  }
}
