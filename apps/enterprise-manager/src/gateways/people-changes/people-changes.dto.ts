import { z } from 'zod';
import { KeyChangesQuery } from '../../keys/key-calls.dto.ts';

/** Most people in one answer; the next question gets the rest. */
export const MAX_PEOPLE = 1_000;

/** What `GET /gateway/v1/people/changes` takes. */
export const PeopleChangesQuery = KeyChangesQuery.extend({
  after: KeyChangesQuery.shape.after.describe(
    'The `version` of the last answer; without it everybody whose activity ever changed is named, from the beginning',
  ),
});
export type PeopleChangesQuery = z.infer<typeof PeopleChangesQuery>;

/** Whose activity has changed since a version. */
export const PeopleChanges = z
  .object({
    version: z.int().describe('To be sent as `after` in the next question'),
    people: z
      .array(
        z
          .object({
            issuer: z.string(),
            subject: z.string(),
            active: z.boolean().describe('False also for a person who was removed from the directory'),
          })
          .meta({ id: 'ChangedPerson' }),
      )
      .describe(`People who were deactivated, removed or activated, in their present state`),
    bindings: z
      .array(
        z
          .object({
            issuer: z.string(),
            claim: z.string().describe('Claim of the issuer’s tokens that has the value; `sub`: no token has it'),
            binding_key: z
              .string()
              .describe(
                'Value of the claim; of `email`, `preferred_username`, `upn` and `unique_name` with ASCII letters in lower case',
              ),
            active: z.boolean(),
          })
          .meta({ id: 'ChangedBinding' }),
      )
      .describe(
        `Entries without a subject that were deactivated, removed or activated before the first sign-in, and are known by the binding claim alone. \`people\` and \`bindings\` have ${MAX_PEOPLE} members at most together`,
      ),
    all: z.boolean().describe('Groups of people who are not named may have changed'),
    reset: z.boolean().describe('`after` is of another database: begin again without it'),
  })
  .meta({ id: 'PeopleChanges', description: 'People who have changed' });
export type PeopleChanges = z.infer<typeof PeopleChanges>;
