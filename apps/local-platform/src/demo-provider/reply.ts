import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A request to the demo provider. */
export interface DemoRequest {
  readonly body: JsonObject;
  /** The model of the path, in the format of Google. */
  readonly pathModel: string;
  readonly query: URLSearchParams;
}

/** The answer: a JSON value, or the frames of a stream. */
export type Reply =
  | { readonly json: unknown }
  | { readonly frames: readonly string[]; readonly contentType: 'text/event-stream' | 'application/json' };

/** Answers the requests of one operation. @throws DemoRequestError */
export type Operation = (request: DemoRequest) => Reply;

/** The demo provider cannot answer a request. The message names the field. */
export class DemoRequestError extends GatehouseError {
  override readonly code = 'demo_request_invalid';
  constructor(
    message: string,
    readonly status: 400 | 404 | 413 = 400,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }
}

/** Formats a server-sent event. @param event its name; absent for a message */
export const formatEvent = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Reads a member that must be a list with at least one item. @throws DemoRequestError */
export function requireList(body: JsonObject, name: string): readonly unknown[] {
  const value = body[name];
  if (Array.isArray(value) && value.length > 0) return value as readonly unknown[];
  throw new DemoRequestError(`${name}: must be a list with at least one item`);
}

/** Reads the name of the model. @throws DemoRequestError */
export function requireModel({ model }: JsonObject): string {
  if (typeof model === 'string' && model !== '') return model;
  throw new DemoRequestError('model: must be the name of a model');
}

/** Reads a limit of tokens; undefined without one. @throws DemoRequestError */
export function readLimit(body: JsonObject, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (Number.isSafeInteger(value) && Number(value) > 0) return Number(value);
    throw new DemoRequestError(`${name}: must be a positive integer`);
  }
  return undefined;
}

/** The text of a message: a text, or the last one of its parts. */
export function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.map((part) => (isObject(part) ? part['text'] : part)).filter((text) => typeof text === 'string');
  return texts.at(-1) ?? '';
}

/** The last message of a role. */
export const findLastMessage = (messages: readonly unknown[], role: string): JsonObject =>
  messages.filter(isObject).findLast((message) => message['role'] === role) ?? {};

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
