import { Flags } from '@oclif/core';

/** The flags that name the user or group of a budget. */
export const subjectFlags = {
  user: Flags.string({
    description: 'the budget of a user: user name, e-mail, id, or the subject_id that admin users get shows',
    exclusive: ['group'],
  }),
  group: Flags.string({ description: 'the budget of a group: id or name' }),
};

/** The flags of a limit. */
export const limitFlags = {
  limit: Flags.string({ description: 'limit in USD, such as 12.50', required: true }),
  period: Flags.option({
    description: 'calendar period (UTC)',
    options: ['day', 'month', 'year'] as const,
    required: true,
  })(),
};

/** The flag of writes that must not overwrite a change of another administrator. */
export const ifMatchFlag = {
  'if-match': Flags.string({ description: 'write only if the current ETag is this one, from admin budgets list' }),
};

/** The same flag for the default budget, which has its own ETag. */
export const defaultIfMatchFlag = {
  'if-match': Flags.string({
    description: 'write only if the current ETag is this one, from admin budgets default get',
  }),
};
