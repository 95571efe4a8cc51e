import { createClient } from '@gatehouse/contracts-enterprise-manager/client';
import type { components } from '@gatehouse/contracts-enterprise-manager/schema';
import { printable } from '../../terminal/output.ts';
import { parseAnswer } from '../../json/exact-json.ts';
import type { TokenSource } from '../session/access.ts';
import { ManagerUnavailableError, unreachable } from '../session/discovery.ts';
import { loginCommand } from '../session/sessions.ts';
import { fetchBuffered } from '../session/buffered-fetch.ts';
import { type CliError, UsageError, ConflictError, RefusedError, CommandFailedError } from '../../errors/cli-error.ts';

/** The schemas of the manager's contract by name. */
export type Schemas = components['schemas'];

/** The flags or variables that supplied the address and the token without a login, for advice. */
export interface Sources {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

/** A client of one enterprise manager with the caller's token. */
export interface Manager {
  /** The manager's address, for messages. */
  readonly url: string;
  readonly sources: Sources;
  readonly api: ReturnType<typeof createClient>;
  /**
   * Sends a GET request, for responses whose exact bytes matter.
   * @throws CliError when the manager does not answer
   */
  get(path: string, headers: Readonly<Record<string, string>>): Promise<Response>;
  /** The same for responses of any length: the caller reads the body while it arrives. */
  stream(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
}

/** The time limit of one response, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** The time limit for the start of a response of any length, in milliseconds. */
const START_TIMEOUT_MS = 150_000;

/**
 * A client of the manager at `url` with the tokens of `tokens`. A rejected token is replaced once.
 */
export function managerAt(url: string, tokens: TokenSource, sources: Sources = {}): Manager {
  const send = async (request: Request, sendOnce: SendRequest = sendBuffered): Promise<Response> => {
    const again = request.clone();
    const token = await tokens.current();
    const response = await sendOnce(url, request, token, sources);
    if (response.status !== 401) return response;
    const other = await tokens.instead(token);
    if (other === undefined) return response;
    await response.body?.cancel();
    return sendOnce(url, again, other, sources);
  };
  return {
    url,
    sources,
    api: createClient({ baseUrl: url, fetch: async (request) => checkResponse(url, await send(request)) }),
    get: (path, headers) => send(new Request(`${url}${path}`, { headers })),
    stream: (path, headers, signal) => send(new Request(`${url}${path}`, { headers, signal }), sendStreamed),
  };
}

/** Sends a request with an access token. */
type SendRequest = (url: string, request: Request, token: string, sources: Sources) => Promise<Response>;

const sendBuffered: SendRequest = (url, request, token, sources) =>
  sendWithToken(url, request, token, sources, () =>
    fetchBuffered(request, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }),
  );

/** Limits the time until the response starts. Its duration depends on the reader. */
const sendStreamed: SendRequest = (url, request, token, sources) =>
  sendWithToken(url, request, token, sources, async () => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('the response did not start in time')), START_TIMEOUT_MS);
    try {
      return await fetch(request, { redirect: 'error', signal: AbortSignal.any([request.signal, late.signal]) });
    } finally {
      clearTimeout(timer);
    }
  });

async function sendWithToken(
  url: string,
  request: Request,
  token: string,
  sources: Sources,
  send: () => Promise<Response>,
): Promise<Response> {
  // The message must not repeat a text that is not valid in a header.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CommandFailedError('The access token contains invalid characters');
  request.headers.set('authorization', `Bearer ${token}`);
  try {
    // A redirect could send the token to any address.
    return await send();
  } catch (cause) {
    throw unreachable(url, cause, sources.url);
  }
}

/**
 * A response with a parsed JSON document. The typed client calls `json()` when the response has a
 * length, and parses the text itself otherwise.
 */
const parsedResponse = ({ status, statusText, headers }: Response, value: object): Response =>
  Object.assign(
    new Response(null, { status, statusText, headers: { ...Object.fromEntries(headers), 'content-length': '1' } }),
    { json: () => Promise.resolve(value) },
  );

/**
 * Checks that the response can come from an enterprise manager.
 * @throws CliError for a success that is neither empty nor a JSON document
 */
async function checkResponse(url: string, response: Response): Promise<Response> {
  if (!response.ok) return response;
  const text = await response.clone().text();
  if (text === '') return response;
  try {
    const value = parseAnswer(text);
    if (typeof value === 'object' && value !== null) return parsedResponse(response, value);
  } catch {
    // The error below does not repeat the text.
  }
  throw notManagerError(url, response);
}

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

/**
 * The required type of a response field that a command uses: a list holds objects, `texts` is a
 * list of texts.
 */
type Kind = 'list' | 'texts' | 'object' | 'text';

/** The expectations of a command about a response. */
interface Expected<T> {
  /** The fields that the command uses. */
  readonly fields?: Partial<Record<keyof T, Kind>>;
  /** The command that lists the existing objects, for the message about a missing one. */
  readonly list?: string;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';
const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  list: (value) => Array.isArray(value) && value.every(isObject),
  texts: (value) => Array.isArray(value) && value.every(isText),
  object: isObject,
  text: isText,
};

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
  const given = (data ?? {}) as Readonly<Record<string, unknown>>;
  const complete = Object.entries<Kind | undefined>(fields).every(([name, kind]) => !kind || KINDS[kind](given[name]));
  if (!complete) throw notManagerError(manager.url, response);
  return data as T;
}

/** The manager's message while its configuration names no administrator. It has its own advice. */
const NO_ADMINISTRATORS_MESSAGE = 'admin auth not yet configured';
const ADMINISTRATORS_HINT = 'set `roles` in ISSUERS of the enterprise manager to map claims to the role admin';

/**
 * The error for a rejected token. Its advice names the source of the token, because a login does
 * not replace a variable.
 */
function refusedTokenError({ url, sources: { token } }: Manager, sentence: string): CliError {
  const which = token === undefined ? 'the access token' : `the access token of ${token}`;
  const tries =
    token === undefined
      ? [loginCommand(url)]
      : [
          `${token} with a token that this manager accepts`,
          ...(token.startsWith('--') ? [] : [`unset ${token}, then ${loginCommand(url)}`]),
        ];
  return new CommandFailedError(`${url} does not accept ${which}: ${sentence}`, tries);
}

/**
 * The error for a response that is not a success.
 * @param list the command that lists the existing objects
 */
export function toCliError(manager: Manager, response: Response, body: unknown, list?: string): CliError {
  const said = typeof body === 'object' && body !== null && 'error' in body ? printable(String(body.error)) : '';
  const sentence = said === '' ? `the enterprise manager answered HTTP ${response.status}` : said;
  const wait = /^\d{1,9}$/.exec(response.headers.get('retry-after') ?? '')?.[0];
  if (said === NO_ADMINISTRATORS_MESSAGE) return new CommandFailedError(sentence, [ADMINISTRATORS_HINT]);
  switch (response.status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return new UsageError(sentence);
    case 401:
      return refusedTokenError(manager, sentence);
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
