import { statement } from '@gatehouse/database/statement';
import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { HttpError } from '@gatehouse/service-kit/http-error';
import type { EntityManager } from 'typeorm';
import { buildInactiveUserSql } from '../../people/deactivation/inactive-user-sql.ts';
import type { UserWrite } from './scim-users.repository.ts';

const INACTIVE_HOLDER = `SELECT TRUE AS found FROM scim_token_holders h
   WHERE h.token_id = $1 AND ${buildInactiveUserSql({ issuer: 'h.issuer', subject: 'h.subject', binding_key: 'h.binding_key' })}`;

/** SQL condition: the entry `$2` is the holder's. */
const IS_OWN_ENTRY = `EXISTS (SELECT FROM users u WHERE u.id = $2 AND u.issuer = h.issuer
     AND (u.subject = h.subject OR (u.subject IS NULL AND u.binding_key = h.binding_key)))`;

const OWNS_ENTRY = statement<{ found: boolean }>(`${INACTIVE_HOLDER} AND ${IS_OWN_ENTRY} LIMIT 1`);
const WOULD_OWN_ENTRY = statement<{ found: boolean }>(
  `${INACTIVE_HOLDER} AND NOT ${IS_OWN_ENTRY} AND h.issuer = $3 AND (h.subject = $4 OR h.binding_key = $5) LIMIT 1`,
);

/**
 * Protects the entry of an inactive administrator against SCIM tokens of which that administrator
 * received a secret.
 * @throws HttpError forbidden for the inactive entry of a holder of the token
 */
export async function refuseEntryOfHolder(manager: EntityManager, caller: OwnCaller, userId: string): Promise<void> {
  if (await OWNS_ENTRY.row(manager, [caller.subject, userId])) throw createHolderError();
}

/**
 * Keeps an inactive holder of the token from getting another entry. Runs before the entry is
 * written.
 * @throws HttpError forbidden where the new subject or binding key is that of an inactive or
 * removed holder
 */
export async function refuseBindingToHolder(
  manager: EntityManager,
  caller: OwnCaller,
  entry: { id: string; issuer: string; write: Pick<UserWrite, 'subject' | 'binding_key'> },
): Promise<void> {
  const { subject, binding_key } = entry.write;
  const params = [caller.subject, entry.id, entry.issuer, subject ?? null, binding_key];
  if (await WOULD_OWN_ENTRY.row(manager, params)) throw createHolderError();
}

const createHolderError = (): HttpError =>
  new HttpError(
    'forbidden',
    'this token cannot activate an administrator that created or rotated it: another administrator must create a new SCIM token for this change',
  );
