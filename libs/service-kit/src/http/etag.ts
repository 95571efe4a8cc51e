import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { isRawNumber } from '../json/exact-json.ts';
import { HttpError } from '../errors/http-error.ts';

/**
 * A handler's answer with headers. The answer becomes 304 without a body when the client has its
 * ETag.
 */
export class Answer<T> {
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>>,
    /** Replaces the operation's success status; one of its `alsoEmpty`. */
    readonly status?: number,
  ) {}
}

/** The answer `body` with its ETag (and further headers, lower-case names). */
export const withETag = <T>(body: T, etag: string, headers: Readonly<Record<string, string>> = {}): Answer<T> =>
  new Answer(body, { etag, ...headers });

/** An answer that is sent in full, also when If-None-Match names its ETag. */
export class FullAnswer<T> extends Answer<T> {}

/** The answer `body` with an ETag, sent in full even if the client has this ETag. */
export const withETagInFull = <T>(
  body: T,
  etag: string,
  headers: Readonly<Record<string, string>> = {},
): FullAnswer<T> => new FullAnswer(body, { etag, ...headers });

/** The answer `body` with headers, lower-case names; for example `location` of a created object. */
export const withHeaders = <T>(body: T, headers: Readonly<Record<string, string>>): Answer<T> =>
  new Answer(body, headers);

/** An answer 204 of an operation whose usual success has a body. */
export const noContent = (headers: Readonly<Record<string, string>> = {}): Answer<undefined> =>
  new Answer(undefined, headers, 204);

/**
 * A strong ETag of a JSON value (RFC 9110 §8.8.3). Equal values have equal tags, in any order of
 * their keys.
 */
export function computeETag(value: unknown): string {
  return `"${createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 27)}"`;
}

function canonical(value: unknown): string {
  const sorted = (_key: string, part: unknown): unknown =>
    part !== null && typeof part === 'object' && !Array.isArray(part) && !isRawNumber(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify([value], sorted);
}

const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
/** A list may have empty elements (RFC 9110 §5.6.1.2). */
const TAGS = new RegExp(String.raw`^\s*(?:\*|(?:,\s*)*${TAG}(?:\s*,(?:\s*${TAG})?)*)\s*$`);

/** Whether a header of entity tags (If-Match, If-None-Match) is well formed. */
export const isTagList = (header: string): boolean => TAGS.test(header);

/** The tags of a well-formed list. A tag may contain commas. */
const parseTags = (header: string): string[] => header.match(new RegExp(TAG, 'g')) ?? [];

/**
 * Whether If-None-Match names `etag` (weak comparison, RFC 9110 §13.1.2), so the client has the
 * state.
 */
export function noneMatchNames(header: string | undefined, etag: string): boolean {
  if (header === undefined || !isTagList(header)) return false;
  if (header.trim() === '*') return true;
  const strong = etag.replace(/^W\//, '');
  return parseTags(header).some((tag) => tag.replace(/^W\//, '') === strong);
}

/** Whether a header of entity tags has the form `*`, which names every state of an object. */
export const namesEveryState = (header: string | undefined): boolean => header?.trim() === '*';

/** Whether If-Match names `etag` itself (strong comparison, RFC 9110 §13.1.1). */
export const matchNames = (header: string | undefined, etag: string): boolean =>
  header !== undefined && parseTags(header).includes(etag);

/**
 * Checks If-Match against the object's current ETag (strong comparison, RFC 9110 §13.1.1). Call it
 * after the object was found.
 * @throws HttpError precondition_required (428) when required and missing, precondition_failed
 * (412) when it names another state
 */
export function requireMatch(ifMatch: string | undefined, currentEtag: string, need: 'required' | 'optional'): void {
  if (ifMatch === undefined) {
    if (need === 'optional') return;
    throw new HttpError('precondition_required', 'If-Match: is required; read the object and send its ETag');
  }
  if (!namesEveryState(ifMatch) && !matchNames(ifMatch, currentEtag)) throw preconditionFailed();
}

/** The refusal of a write whose If-Match names another state. */
export const preconditionFailed = (cause?: unknown): HttpError =>
  new HttpError('precondition_failed', 'If-Match: the object has changed since you read it; read it again', { cause });

/** Parameter decorator: the If-Match header as `string | undefined`; a malformed one is 400. */
export const IfMatch = createParamDecorator((_: undefined, context: ExecutionContext): string | undefined => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
  if (header !== undefined && !isTagList(header)) {
    throw new HttpError('invalid', 'If-Match: must be an entity tag in double quotes, copied from the ETag header', {
      violations: [{ field: '/If-Match', message: 'must be an entity tag in double quotes' }],
    });
  }
  return header;
});
