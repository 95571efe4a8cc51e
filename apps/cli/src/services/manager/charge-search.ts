import { streamObjects } from './streamed-responses.ts';
import type { Manager, Schemas } from './manager.ts';
import { isId } from './named.ts';
import { allCharges } from './spend.ts';
import { UsageError, CommandFailedError } from '../../errors/cli-error.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A report's time may be ahead of the manager's clock by less than this. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE_MS;
/** The searched ages of a request at the time of its report, one after the other. */
const AGES_MS = [10 * MINUTE_MS, DAY_MS, 32 * DAY_MS];

/** The last year that RFC 3339 can write. */
const LATEST = Date.UTC(9999, 11, 31);

interface TimeRange {
  readonly from?: string;
  readonly to?: string;
}

/**
 * The time ranges of requests that may contain a charge, the most likely range first. The charge's
 * id is a UUID v7 (RFC 9562), which contains the time of the report.
 * @throws UsageError for an id that is not such a UUID
 */
export function searchRanges(id: string): TimeRange[] {
  if (!isId(id) || id[14] !== '7')
    throw new UsageError('ID: must be the id of a charge', ['gatehouse admin charges list']);
  const reported = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const formatTime = (time: number) => new Date(Math.min(Math.max(0, time), LATEST)).toISOString();
  let end = reported + MAX_CLOCK_SKEW_MS;
  return AGES_MS.map((age) => {
    const range = { from: formatTime(reported - age), to: formatTime(end) };
    end = reported - age;
    return range;
  });
}

/**
 * Finds a charge by its id. The API cannot filter charges by id, so this reads the charges of the
 * likely time ranges.
 * @param given the time of the request, where the user knows it
 * @throws CliError for an unknown charge
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
    for await (const charge of streamObjects<Schemas['Charge']>(manager, allCharges(range), signal))
      if (charge.id === id.toLowerCase()) return charge;
  throw new CommandFailedError(`There is no charge ${id} in the times that were searched`, [
    'gatehouse admin charges list',
    ...(isGiven ? [] : ['--from TIME   when the request was more than 32 days old at its report']),
  ]);
}
