import { parseEventFields } from './event-fields.ts';
import type { ResponseLimits } from './response-limits.ts';
import { checkMessage, type CheckResult } from './check-response.ts';

/** The form of a response: one JSON text, or the events of a stream. */
export type ResponseForm = 'message' | 'event';

/** Maximum bytes of an event besides the data of its message. */
const MAX_OTHER_BYTES = 64 * 1024;

/** Checks one response or event on its bytes. */
export const checkResponse = (bytes: Uint8Array, form: ResponseForm, limits: ResponseLimits): CheckResult =>
  form === 'message' ? checkMessage(bytes, limits) : checkEvent(bytes, limits);

/**
 * Checks one event of a stream (WHATWG HTML, section 9.2) with its line ends. Only events with the
 * name `message` contain JSON.
 */
function checkEvent(bytes: Uint8Array, limits: ResponseLimits): CheckResult {
  const { data, others, name } = parseEventFields(bytes);
  const otherBytes = bytes.length - data.reduce((sum, line) => sum + line.length, 0);
  const isMessage = name === '' || name === 'message';
  if (otherBytes - data.length * FIELD_BYTES > MAX_OTHER_BYTES || (!isMessage && bytes.length > MAX_OTHER_BYTES))
    return { excess: `an event with more than ${MAX_OTHER_BYTES} bytes besides its message` };
  if (data.length > MAX_OTHER_BYTES) return { excess: `an event of more than ${MAX_OTHER_BYTES} lines` };
  if (!isMessage || data.length === 0) return { bytes, isReduced: false };
  const verdict = checkMessage(
    Buffer.concat(data.flatMap((line, at) => (at === 0 ? [line] : [LINE_FEED, line]))),
    limits,
  );
  if ('excess' in verdict || !verdict.isReduced) return 'excess' in verdict ? verdict : { bytes, isReduced: false };
  // A line end within JSON is white space between tokens.
  const message = verdict.bytes.map((byte) => (byte === LF || byte === CR ? SPACE : byte));
  return {
    bytes: Buffer.concat([...others.flatMap((line) => [line, LINE_FEED]), DATA, message, LINE_FEED, LINE_FEED]),
    isReduced: true,
  };
}

const [LF, CR, SPACE] = [0x0a, 0x0d, 0x20];
const LINE_FEED = Buffer.from('\n');
const DATA = Buffer.from('data: ');
/** Length of `data: ` and a line end of two bytes. */
const FIELD_BYTES = 8;
