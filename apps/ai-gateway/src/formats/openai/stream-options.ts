import { type Edit, type MemberRanges, findMembers } from '../body-members.ts';
import type { JsonObject, ModelRequest, ReceivedRequest } from '../model-request.ts';
import { isJsonObject } from '../readers/response-facts.ts';
import { createTypeError, readFlag } from '../request-fields.ts';

const OPTIONS = 'stream_options';
const INCLUDE_USAGE = 'include_usage';
/** The name of the inner member among the members of the request. */
const INNER = `${OPTIONS}.${INCLUDE_USAGE}`;

/** Whether the client itself asked for the usage of its stream. */
export const isUsageRequested = (body: JsonObject): boolean =>
  isJsonObject(body[OPTIONS]) && body[OPTIONS][INCLUDE_USAGE] === true;

/**
 * Checks `stream_options` and finds the member `include_usage` in it.
 * @returns the members with the inner one, named `stream_options.include_usage`
 * @throws ModelCallError `invalid_request`
 */
export function findStreamOptions({ bytes, body }: ReceivedRequest, members: MemberRanges): MemberRanges {
  const range = members.get(OPTIONS);
  const options = body[OPTIONS];
  if (range === undefined || options === null) return members;
  if (!isJsonObject(options)) throw createTypeError(OPTIONS, 'an object');
  const object = { bytes: bytes.subarray(range.start, range.end), body: options };
  const inner = findMembers(object, [INCLUDE_USAGE], `${OPTIONS}.`).get(INCLUDE_USAGE);
  if (inner === undefined) return members;
  readFlag({ [INNER]: options[INCLUDE_USAGE] }, INNER);
  return new Map([...members, [INNER, { start: range.start + inner.start, end: range.start + inner.end }]]);
}

/** The edits that set `stream_options.include_usage: true` and keep the other options. */
export function requestUsage({ received: { body }, members }: ModelRequest): readonly Edit[] {
  if (isUsageRequested(body)) return [];
  const inner = members.get(INNER);
  if (inner !== undefined) return [{ ...inner, text: 'true' }];
  const range = members.get(OPTIONS);
  const options = body[OPTIONS];
  if (range !== undefined && isJsonObject(options)) {
    const at = range.start + 1;
    return [{ start: at, end: at, text: `"${INCLUDE_USAGE}":true${Object.keys(options).length > 0 ? ',' : ''}` }];
  }
  const value = `{"${INCLUDE_USAGE}":true}`;
  if (range !== undefined) return [{ ...range, text: value }];
  const at = members.get('model')?.end ?? 0;
  return [{ start: at, end: at, text: `,"${OPTIONS}":${value}` }];
}
