import { Flags } from '@oclif/core';
import { excludes } from './flag-relationships.ts';
import { parseInstant } from '../services/manager/audit.ts';
import { UsageError, invalidFlag } from '../errors/cli-error.ts';

/** The forms in which a flag accepts a user, for descriptions. */
export const PERSON = 'user name, e-mail, id or subject_id';

/** The order of payers, for descriptions. */
export const PAYER_ORDER =
  'One payer pays all of a request: the budget of the user first (the default budget where the user has none of that period), then the groups of the user by precedence, lowest first.';

/** Filters by payer. In every command, `--user` is the user that made the requests. */
export const payerFlags = {
  'payer-user': Flags.string({ description: `paid by this user: ${PERSON}`, exclusive: ['payer-group'] }),
  'payer-group': Flags.string({ description: 'paid by this group: id or name' }),
};

/**
 * The former names of the payer filters. They stay known so that the error can name the new flag.
 */
export const formerPayerFlags = {
  user: Flags.string({ hidden: true }),
  group: Flags.string({ hidden: true }),
};

/**
 * Refuses the former names of the payer filters.
 * @param byUser the command that shows the figures of the user that made the requests
 * @throws UsageError
 */
export function refuseFormerPayer(
  { user, group }: { user?: string | undefined; group?: string | undefined },
  byUser: string,
): void {
  if (user !== undefined)
    throw new UsageError('--user: is the user that made the requests, but this command filters by payer', [
      `--payer-user ${user}   for what this user paid`,
      `${byUser}   for the user that made the requests`,
    ]);
  if (group !== undefined)
    throw new UsageError('--group: use --payer-group, because the group is the payer', [`--payer-group ${group}`]);
}

/** The time zone of days. */
export const timeZoneFlag = {
  'time-zone': Flags.string({
    description: 'time zone of the days, such as Europe/Berlin (default: UTC); budget periods are always UTC',
  }),
};

/** The time range of lists. */
export const timeFlags = {
  from: Flags.string({ description: 'earliest time, or how long ago (24h)' }),
  to: Flags.string({ description: 'latest time, exclusive, or how long ago' }),
};

/** The range of figures by day. */
export const dayFlags = {
  from: Flags.string({ description: 'first day or time, or how long ago (24h); default: 30 days back' }),
  to: Flags.string({ description: 'first excluded day or time, or how long ago; default: tomorrow' }),
};

/** The flags for whole lists, which are written as a stream. */
export const streamFlags = {
  ndjson: Flags.boolean({
    description: 'print the whole list as it arrives, one JSON object a line',
    relationships: excludes('json', 'limit', 'all'),
  }),
  output: Flags.string({
    char: 'o',
    description: 'write the whole list to this file, one JSON object a line',
    relationships: excludes('json', 'limit', 'all'),
  }),
};

/** The times of a list. @throws UsageError */
export function parseTimeRange({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from?: string;
  to?: string;
} {
  const now = new Date();
  const times = {
    ...(from !== undefined && { from: parseInstant('--from', from, now) }),
    ...(to !== undefined && { to: parseInstant('--to', to, now) }),
  };
  if (times.from !== undefined && times.to !== undefined && times.from >= times.to)
    throw invalidFlag('--from', 'must be before --to');
  return times;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * The range of figures by day. A day stays a day: the manager reads it in the time zone of the
 * figures.
 * @throws UsageError
 */
export function parseDayRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now = new Date(),
): { from?: string; to?: string } {
  const bound = (flag: string, text: string) => {
    const instant = parseInstant(flag, text, now);
    return DAY.test(text) ? text : instant;
  };
  return {
    ...(from !== undefined && { from: bound('--from', from) }),
    ...(to !== undefined && { to: bound('--to', to) }),
  };
}

/** The flags that have a value. */
export const definedOnly = <T extends Record<string, unknown>>(flags: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
