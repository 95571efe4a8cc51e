import type { KeysetStep } from '@gatehouse/database/keyset';

/** The time range of a list: `from` is inclusive, `to` exclusive. */
interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Reads a step of a list by time, newest first, from a table with partitions by month (UTC). Reads
 * the newest two possible months first, and older months only if these have too few rows. A single
 * read would open all partitions, and a page almost always is in one of them.
 * @param step of a list whose key begins with the time
 */
export async function readNewestFirst<Row, Filter extends TimeRange>(
  filter: Filter,
  step: KeysetStep,
  now: Date,
  read: (filter: Filter, step: KeysetStep) => Promise<Row[]>,
): Promise<Row[]> {
  if (step.direction === 'backward') return read(filter, step);
  const ends = [now.getTime(), parseTime(filter.to), parseTime(step.from?.[0])].filter((time) => time !== undefined);
  const last = new Date(Math.min(...ends));
  const middle = new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - 1, 1));
  const from = parseTime(filter.from);
  if (from !== undefined && from >= middle.getTime()) return read(filter, step);
  const newest = await read({ ...filter, from: middle.toISOString() }, step);
  if (newest.length >= step.limit) return newest;
  const older = await read({ ...filter, to: middle.toISOString() }, { ...step, limit: step.limit - newest.length });
  return [...newest, ...older];
}

const parseTime = (time: unknown): number | undefined =>
  typeof time === 'string' ? new Date(time).getTime() : undefined;
