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
    description: 'in which calendar window (UTC)',
    options: ['day', 'month', 'year'] as const,
    required: true,
  })(),
};

/** The flag of writes that must not overwrite a change of another administrator. */
export const ifMatchFlag = {
  'if-match': Flags.string({ description: 'write only over the state with this ETag, from admin budgets list' }),
};

/** The same for the default budget, which has an ETag of its own. */
export const defaultIfMatchFlag = {
  'if-match': Flags.string({ description: 'write only over the state with this ETag, from admin budgets default get' }),
};
