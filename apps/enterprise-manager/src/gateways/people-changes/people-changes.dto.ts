import { z } from 'zod';
import { ChangesQuery, changesMembers } from '../revisions/changes.dto.ts';

/** Maximum number of users in a response; the next request returns the rest. */
export const MAX_PEOPLE = 1_000;

/** Query of `GET /gateway/v1/people/changes`. */
export const PeopleChangesQuery = ChangesQuery.extend({
  after: ChangesQuery.shape.after.describe(
    'The `version` of the last response. Without it, all users whose activity has ever changed are listed',
  ),
});
export type PeopleChangesQuery = z.infer<typeof PeopleChangesQuery>;

/** The users whose activity has changed since a version. */
export const PeopleChanges = z
  .object({
    ...changesMembers,
    people: z
      .array(
        z
          .object({
            issuer: z.string(),
            subject: z.string(),
            active: z.boolean().describe('False also for a user that was removed from the directory'),
          })
          .meta({ id: 'ChangedPerson' }),
      )
      .describe(`Users that were deactivated, removed or activated, with their current state`),
    bindings: z
      .array(
        z
          .object({
            issuer: z.string(),
            claim: z
              .string()
              .describe('The claim of the issuer’s tokens that contains the value; for `sub`, no token contains it'),
            binding_key: z
              .string()
              .describe(
                'Value of the claim. ASCII letters of `email`, `preferred_username`, `upn` and `unique_name` are in lower case',
              ),
            active: z.boolean(),
          })
          .meta({ id: 'ChangedBinding' }),
      )
      .describe(
        `Entries without a subject that were deactivated, removed or activated before the first sign-in. Only the binding claim identifies them. \`people\` and \`bindings\` have at most ${MAX_PEOPLE} members together`,
      ),
    all: z.boolean().describe('Whether groups of unlisted users may have changed'),
  })
  .meta({ id: 'PeopleChanges', description: 'Users whose activity has changed' });
export type PeopleChanges = z.infer<typeof PeopleChanges>;
