import { Flags } from '@oclif/core';
import type { Schemas } from '../services/manager/manager.ts';
import { PERSON } from './spend-flags.ts';
import { UsageError } from '../errors/cli-error.ts';

type Write = Schemas['BudgetAlertWrite'];

/** The flags of an alert: its subject, thresholds and target. All are optional. */
export const alertFlags = {
  scope: Flags.option({ options: ['user', 'group'] as const, description: 'only budgets of users, or of groups' })(),
  subject: Flags.string({ description: `with --scope: one user (${PERSON}) or one group (id or name)` }),
  period: Flags.option({
    options: ['day', 'month', 'year'] as const,
    multiple: true,
    description: 'only budgets of this period; may be repeated',
  })(),
  'allow-private-ips': Flags.boolean({
    allowNo: true,
    description: 'permit a private address and http for the target',
  }),
};

/** The values of the given flags. */
interface GivenFlags {
  scope?: 'user' | 'group' | undefined;
  subject?: string | undefined;
  period?: ('day' | 'month' | 'year')[] | undefined;
  'allow-private-ips'?: boolean | undefined;
}

/** The fields of an alert that the flags set. */
export const alertFields = (
  flags: GivenFlags,
): Pick<Write, 'scope' | 'subject_id' | 'periods' | 'allow_private_ips'> => ({
  ...(flags.scope !== undefined && { scope: flags.scope }),
  ...(flags.subject !== undefined && { subject_id: flags.subject }),
  ...(flags.period !== undefined && { periods: flags.period }),
  ...(flags['allow-private-ips'] !== undefined && { allow_private_ips: flags['allow-private-ips'] }),
});

/** Thresholds such as `50,80,100`. @throws UsageError */
export function parseThresholds(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim().replace(/ ?%$/, ''));
  if (!parts.every((part) => /^\d{1,4}$/.test(part)))
    throw new UsageError('--thresholds: must be whole percentages, such as 50,80,100');
  return parts.map(Number);
}
