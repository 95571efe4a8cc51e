import { writeJson } from '@gatehouse/service-kit/json-text';
import type { KeysetList, KeysetStep } from '@gatehouse/database/keyset';
import type { Batches } from './text-stream.ts';

/** The media type of streamed lists: one JSON object a line. */
export const NDJSON_TYPE = 'application/x-ndjson';

/** Rows of one read. */
const BATCH = 1_000;

/** Whether Accept prefers NDJSON to JSON (RFC 9110, section 12.5.1). Equal weights mean JSON. */
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
 * Reads all rows of a list by its key, in batches. Each batch is a short statement, so no
 * transaction and no connection stays open while the client reads. Rows that exist from the begin
 * to the end appear exactly once. Rows that are added appear if their key has not been passed.
 */
export async function* readWholeList<Row>({
  getSortKey,
  read,
}: Pick<KeysetList<Row>, 'getSortKey' | 'read'>): Batches<Row> {
  let step: KeysetStep = { direction: 'forward', inclusive: false, limit: BATCH };
  for (;;) {
    const rows = await read(step);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH) return;
    step = { ...step, from: getSortKey(last) };
  }
}

/**
 * Writes a row as one line. Usage objects keep the text of the gateway with its line breaks.
 * Strings in JSON escape line breaks, so spaces replace white space only.
 */
export const formatNdjsonLine = (row: object): string => `${writeJson(row).replaceAll(/[\r\n]/g, ' ')}\n`;
