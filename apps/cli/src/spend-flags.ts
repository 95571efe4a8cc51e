import { Flags } from '@oclif/core';
import { badFlag } from '@gatehouse/workloads/failure';
import { notWith } from './flag-relationships.ts';
import { instantOf } from './services/manager/audit.ts';

/** What a person of a flag may be given by. */
export const PERSON = 'user name, e-mail, id or subject_id';

/** Whose money was spent. */
export const payerFlags = {
  user: Flags.string({ description: `paid by this person: ${PERSON}`, exclusive: ['group'] }),
  group: Flags.string({ description: 'paid by this group (id or name)' }),
};

/** From when and until when, for lists. */
export const timeFlags = {
  from: Flags.string({ description: 'earliest time, or how long ago (24h)' }),
  to: Flags.string({ description: 'latest time, exclusive, or how long ago' }),
};

/** Whole lists as they come. */
export const streamFlags = {
  ndjson: Flags.boolean({
    description: 'print all of them as they come, one JSON object a line',
    relationships: notWith('json', 'limit', 'all'),
  }),
  output: Flags.string({
    char: 'o',
    description: 'write all of them to this file, one JSON object a line',
    relationships: notWith('json', 'limit', 'all'),
  }),
};

/** The times of a list. @throws WorkloadFailure (usage) */
export function timesOf({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from?: string;
  to?: string;
} {
  const now = new Date();
  const times = {
    ...(from !== undefined && { from: instantOf('--from', from, now) }),
    ...(to !== undefined && { to: instantOf('--to', to, now) }),
  };
  if (times.from !== undefined && times.to !== undefined && times.from >= times.to)
    throw badFlag('--from', 'must be before --to');
  return times;
}

/** What is given of some flags. */
export const given = <T extends Record<string, unknown>>(flags: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
