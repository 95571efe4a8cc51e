import type { KeysetStep } from '../../database/keyset.ts';

const CHUNK = 200;

/**
 * Reads a step of a list of which only some rows may be shown: goes on through the rows behind it
 * until the step is full or the list ends. So a page is full where it can be, and neither its
 * length nor its cursors tell how much is hidden.
 */
export async function readShown<Row>(
  step: KeysetStep,
  keyOf: (row: Row) => KeysetStep['from'],
  read: (step: KeysetStep) => Promise<Row[]>,
  shown: (rows: Row[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  let next: KeysetStep = { ...step, limit: Math.max(step.limit, CHUNK) };
  for (;;) {
    const rows = await read(next);
    found.push(...(await shown(rows)));
    const last = rows.at(-1);
    const from = last === undefined ? undefined : keyOf(last);
    if (found.length >= step.limit || rows.length < next.limit || from === undefined) return found.slice(0, step.limit);
    next = { ...next, from, inclusive: false };
  }
}
