import { booleanParameter, pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { getOwnerRef } from '@gatehouse/auth/owner-ref';
import { filterText } from '@gatehouse/service-kit/text';
import { searchText, subjectId } from '../../validation/text.ts';
import type { UserRow } from './user.entity.ts';

/** A user of the directory, as administrators see it. */
export const User = z
  .object({
    id: z.guid(),
    user_name: z.string().describe('Unique within the issuer'),
    display_name: z.string(),
    email: z.string().optional(),
    subject_id: z
      .string()
      .optional()
      .describe(
        'The owner reference of the user in budgets, charges and reports. Absent until the first sign-in of a provisioned user',
      ),
    photo_url: z.string().optional(),
    source: z
      .enum(['config', 'scim', 'sign_in'])
      .describe('The origin of the entry: the configuration, a provisioning directory, or the first sign-in'),
    active: z.boolean().describe('Whether the user has any access'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'User', description: 'A user of the directory' });
export type User = z.infer<typeof User>;

/** A page of users. */
export const UserPage = z
  .object({ items: z.array(User), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'UserPage', description: 'Users in the order of their creation' });
export type UserPage = z.infer<typeof UserPage>;

/** Query parameters of `GET /v1/users`. */
export const UserListQuery = z.strictObject({
  email: filterText().optional().describe('Exact address, case-insensitive'),
  user_name: filterText().optional().describe('Exact name, case-insensitive'),
  subject_id: subjectId().optional().describe('The owner reference of the user in budgets, charges and reports'),
  source: filterText().optional().describe('For example `scim`'),
  active: booleanParameter().optional(),
  search: searchText('Part of the display name, user name or e-mail address, case-insensitive'),
  ...pageParameters(),
});
export type UserListQuery = z.infer<typeof UserListQuery>;

/** Converts a stored user to the DTO. @param issuers the configured issuers */
export const toUser = (issuers: Parameters<typeof getOwnerRef>[0], { subject, ...row }: UserRow): User => ({
  id: row.id,
  user_name: row.user_name,
  display_name: row.display_name,
  ...(row.email !== null && { email: row.email }),
  ...(subject !== null && { subject_id: getOwnerRef(issuers, { issuer: row.issuer, subject }) }),
  ...(row.photo_url !== null && { photo_url: row.photo_url }),
  source: row.source,
  active: row.active,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
