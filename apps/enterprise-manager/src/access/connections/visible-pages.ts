import { type CreatedRow, getCreationKey } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';

const CHUNK = 200;

/**
 * Reads a step of a list in the order of creation that has hidden rows. Continues until the step is
 * full or the list ends, so that neither the length of a page nor its cursors reveal hidden rows.
 */
export async function readVisible<Row extends CreatedRow>(
  step: KeysetStep,
  read: (step: KeysetStep) => Promise<Row[]>,
  filterVisible: (rows: Row[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  let next: KeysetStep = { ...step, limit: Math.max(step.limit, CHUNK) };
  for (;;) {
    const rows = await read(next);
    found.push(...(await filterVisible(rows)));
    const last = rows.at(-1);
    const from = last === undefined ? undefined : getCreationKey(last);
    if (found.length >= step.limit || rows.length < next.limit || from === undefined) return found.slice(0, step.limit);
    next = { ...next, from, inclusive: false };
  }
}
