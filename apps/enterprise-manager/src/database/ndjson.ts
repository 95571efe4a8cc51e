import { writeJson } from '@gatehouse/service-kit/json-text';
import type { KeysetList, KeysetStep } from './keyset.ts';
import type { Batches } from './text-stream.ts';

/** A list as a stream: one JSON object a line. */
export const NDJSON_TYPE = 'application/x-ndjson';

/** Rows that are read at once. */
const BATCH = 1_000;

/**
 * Whether Accept asks for NDJSON rather than JSON (RFC 9110, section 12.5.1). Whoever takes both
 * alike gets JSON.
 */
export function wantsNdjson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      const value = weight === undefined ? 1 : Number(weight.slice(2));
      return [type, Number.isFinite(value) ? value : 0];
    }),
  );
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return (weights.get(NDJSON_TYPE) ?? 0) > json;
}

/**
 * All rows of a list by its key, batch after batch, each a short statement of its own: no
 * transaction and no connection is held while somebody takes them. What was there when it began and
 * stays comes exactly once; what is added meanwhile comes where its key has not been passed.
 */
export async function* wholeList<Row>({ keyOf, read }: Pick<KeysetList<Row>, 'keyOf' | 'read'>): Batches<Row> {
  let step: KeysetStep = { direction: 'forward', inclusive: false, limit: BATCH };
  for (;;) {
    const rows = await read(step);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH) return;
    step = { ...step, from: keyOf(last) };
  }
}

/**
 * Writes a row as one line. Usage objects keep the text that a gateway sent, also its line breaks.
 * Strings in JSON escape line breaks, so a space takes the place of white space only.
 */
export const ndjsonLine = (row: object): string => `${writeJson(row).replaceAll(/[\r\n]/g, ' ')}\n`;
