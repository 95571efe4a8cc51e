import { z } from 'zod';
import { Group } from '../groups/groups.dto.ts';

/** The roles of a token at this service, sorted. */
export const DIRECTORY_ROLES = ['admin', 'auditor', 'gateway', 'user'] as const;

/** The profile of the caller. */
export const OwnProfile = z
  .object({
    issuer: z.string().describe('Issuer of the token; together with `subject` it identifies the caller'),
    subject: z.string(),
    roles: z
      .array(z.enum(DIRECTORY_ROLES))
      .describe('Roles of the token, sorted, as this service reads them; only `user` for a deactivated entry'),
    active: z.boolean().describe('Whether the directory has an active entry for the caller'),
    groups: z
      .array(Group)
      .describe('Groups that contain the caller, directly or through subgroups; empty without an active entry'),
    id: z
      .guid()
      .optional()
      .describe('Id of the directory entry. The id and the names are absent for a caller without an entry'),
    user_name: z.string().optional(),
    display_name: z.string().optional(),
    email: z.string().optional(),
    source: z.enum(['config', 'scim', 'sign_in']).optional(),
  })
  .meta({ id: 'OwnProfile', description: 'The caller’s own directory entry' });
export type OwnProfile = z.infer<typeof OwnProfile>;
