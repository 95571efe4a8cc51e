import { objectsOf } from './long-answers.ts';
import type { Manager, Schemas } from './manager.ts';
import { isId } from './named.ts';
import { allCharges } from './spend.ts';
import { UsageError, CommandFailedError } from '../../errors/cli-error.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A report may be ahead of the clock of the manager by less than this. */
const AHEAD_MS = 10 * MINUTE_MS;
/** The ages of a request at its report that are searched, one after the other. */
const AGES_MS = [10 * MINUTE_MS, DAY_MS, 32 * DAY_MS];

/** The last year that RFC 3339 can write. */
const LATEST = Date.UTC(9999, 11, 31);

interface TimeRange {
  readonly from?: string;
  readonly to?: string;
}

/**
 * The times of requests in which a charge is searched, the likeliest first. Its id is a UUID v7
 * (RFC 9562) of the time of the report.
 * @throws UsageError for an id that no charge can have
 */
export function searchRanges(id: string): TimeRange[] {
  if (!isId(id) || id[14] !== '7')
    throw new UsageError('ID: must be the id of a charge', ['gatehouse admin charges list']);
  const reported = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const isoOf = (time: number) => new Date(Math.min(Math.max(0, time), LATEST)).toISOString();
  let end = reported + AHEAD_MS;
  return AGES_MS.map((age) => {
    const range = { from: isoOf(reported - age), to: isoOf(end) };
    end = reported - age;
    return range;
  });
}

/**
 * Finds a charge by its id. The list has no filter by id, so this reads the charges of the times
 * that fit.
 * @param given the times of the request, where they are known
 * @throws CliError where there is none
 */
export async function findCharge(
  manager: Manager,
  id: string,
  given: TimeRange,
  signal: AbortSignal,
): Promise<Schemas['Charge']> {
  const isGiven = given.from !== undefined || given.to !== undefined;
  const ranges = searchRanges(id);
  for (const range of isGiven ? [given] : ranges)
    for await (const charge of objectsOf<Schemas['Charge']>(manager, allCharges(range), signal))
      if (charge.id === id.toLowerCase()) return charge;
  throw new CommandFailedError(`There is no charge ${id} in the times that were searched`, [
    'gatehouse admin charges list',
    ...(isGiven ? [] : ['--from TIME   when the request was more than 32 days old at its report']),
  ]);
}
