import { z } from 'zod';

/** Maximum value of `wait`. */
const MAX_WAIT_SECONDS = 30;

/** Query of the long polls that list changes. */
export const ChangesQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a version')
    .transform(Number)
    .optional()
    .meta({
      description: 'The `version` of the last response; without it, the current version is returned at once',
      override: { type: 'integer', minimum: 0 },
    }),
  wait: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number of seconds')
    .transform((text) => Math.min(Number(text), MAX_WAIT_SECONDS))
    .default(MAX_WAIT_SECONDS)
    .meta({
      description: 'Maximum time to wait for a change, in seconds; at most 30',
      override: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: MAX_WAIT_SECONDS },
    }),
});
export type ChangesQuery = z.infer<typeof ChangesQuery>;

/** The members of each list of changes. */
export const changesMembers = {
  version: z.int().describe('The value of `after` in the next request'),
  reset: z
    .boolean()
    .describe('`after` belongs to another database, for example a restored one: nothing that was cached is valid'),
};
