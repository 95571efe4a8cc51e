import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorWriter } from './error-response.ts';
import { ModelCallError } from './model-call-error.ts';
import type { ModelOperation, WireFormat } from './operation.ts';

/** The operation of a request, and what its path and query say. */
export interface FoundOperation {
  readonly kind: 'operation';
  readonly operation: ModelOperation;
  readonly errors: ErrorWriter;
  readonly pathModel: string | undefined;
  readonly query: URLSearchParams;
}

/** A read of the list of models, or of one of them. */
export interface FoundModels {
  readonly kind: 'models';
  readonly format: WireFormat;
  readonly errors: ErrorWriter;
  /** The name of one model; undefined for the list. */
  readonly model: string | undefined;
  readonly query: URLSearchParams;
}

/** A request of no operation, and the errors of the format that it resembles. */
export interface NotFound {
  readonly kind: 'none';
  readonly errors: ErrorWriter;
  readonly error: ModelCallError;
  /** The methods of the path; undefined for an unknown path. */
  readonly allow?: string;
}

/** The formats that the gateway serves. */
export interface ServedFormats {
  /** The operations with a fixed path, by that path. */
  readonly byPath: ReadonlyMap<string, ModelOperation>;
  /** The operations of Gemini, by the verb after the name of the model. */
  readonly byVerb: ReadonlyMap<string, ModelOperation>;
  readonly errors: Readonly<Record<WireFormat, ErrorWriter>>;
}

/** `/v1beta/models/{model}:{verb}`; names may contain slashes. */
const VERB_PATH = /^\/v1(?:beta)?\/models\/(.+):([A-Za-z]+)$/;
const MODELS_PATH = /^\/(v1|v1beta)\/models(?:\/(.+))?$/;

/** Paths of clients of OpenAI whose base URL lacks the version. */
const WITHOUT_VERSION = /^\/(?:chat\/completions|responses|embeddings)(?:[/?]|$)/;

/**
 * Whether a path belongs to model calls. The paths of all vendors begin with a version; without it,
 * the error says so.
 */
export const isModelPath = (url: string): boolean =>
  url.startsWith('/v1/') || url.startsWith('/v1beta/') || WITHOUT_VERSION.test(url);

/**
 * Finds the operation of a request.
 * @param url the request target: path and query
 */
export function findOperation(
  { byPath, byVerb, errors }: ServedFormats,
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
): FoundOperation | FoundModels | NotFound {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const query = new URLSearchParams(end === -1 ? '' : url.slice(end + 1));
  const fixed = byPath.get(path);
  if (fixed !== undefined) return findPosted(fixed, method, { errors, pathModel: undefined, query });
  const [, name, verb] = VERB_PATH.exec(path) ?? [];
  const operation = verb === undefined ? undefined : byVerb.get(verb);
  if (operation !== undefined) return findPosted(operation, method, { errors, pathModel: decode(name), query });
  const format = guessFormat(path, headers);
  const models = MODELS_PATH.exec(path);
  if (models !== null && verb === undefined) {
    if (method === 'GET' || method === 'HEAD')
      return { kind: 'models', format, errors: errors[format], model: decode(models[2]), query };
    return createMethodError(errors[format], method, 'GET, HEAD');
  }
  const sentence = `The gateway has no operation ${method} ${path.slice(0, 200)}.`;
  const error = new ModelCallError('not_found', [sentence, ...explainBaseUrl(path)].join(' '));
  return { kind: 'none', errors: errors[format], error };
}

/** The usual mistakes in the base URL of a client. */
function explainBaseUrl(path: string): string[] {
  if (WITHOUT_VERSION.test(path)) return ['The base URL of clients of OpenAI ends with /v1.'];
  if (/^\/v1(?:beta)?\/v1(?:beta)?\//.test(path))
    return ['The base URL of clients of Anthropic and Google has no version, such as /v1, at its end.'];
  return [];
}

interface PathFacts extends Pick<FoundOperation, 'pathModel' | 'query'> {
  readonly errors: ServedFormats['errors'];
}

function findPosted(operation: ModelOperation, method: string, { errors, ...facts }: PathFacts) {
  const own = errors[operation.format];
  if (method !== 'POST') return createMethodError(own, method, 'POST');
  return { kind: 'operation', operation, errors: own, ...facts } as const;
}

const createMethodError = (errors: ErrorWriter, method: string, allowed: string): NotFound => ({
  kind: 'none',
  errors,
  error: new ModelCallError('method_not_allowed', `The method ${method} is not allowed here. Use ${allowed}.`),
  allow: allowed,
});

/** The format of a path that several vendors have. */
function guessFormat(path: string, headers: IncomingHttpHeaders): WireFormat {
  if (path.startsWith('/v1beta/') || headers['x-goog-api-key'] !== undefined) return 'google';
  return headers['anthropic-version'] !== undefined || path.startsWith('/v1/messages') ? 'anthropic' : 'openai';
}

/** Decodes a name in a path. A name that cannot be decoded names no model. */
function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
