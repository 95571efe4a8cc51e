import { z } from 'zod';
import { changesMembers } from '../revisions/changes.dto.ts';

/** Maximum number of users in a response. A response about more users says `all`. */
export const MAX_CHANGED_USERS = 1_000;

/** The users whose entitlements at a gateway have changed since a version. */
export const EntitlementChanges = z
  .object({
    ...changesMembers,
    users: z
      .array(
        z
          .object({
            user_id: z.guid(),
            issuer: z.string(),
            subject: z
              .string()
              .optional()
              .describe('Absent if no token has identified the user yet: any subject of the issuer may be this user'),
          })
          .meta({ id: 'ChangedUser' }),
      )
      .describe(
        `Users whose groups, connections at this gateway, activity or identity have changed, and users that were created or deleted; at most ${MAX_CHANGED_USERS}. A user with a changed identity is listed with the old and the new one`,
      ),
    all: z
      .boolean()
      .describe(
        `Whether the entitlements of all users must be requested again, since more than ${MAX_CHANGED_USERS} users have changed or the changes after \`after\` are not stored any more`,
      ),
  })
  .meta({ id: 'EntitlementChanges', description: 'Users whose entitlements have changed' });
export type EntitlementChanges = z.infer<typeof EntitlementChanges>;
