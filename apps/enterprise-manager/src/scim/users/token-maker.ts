import { statement } from '@gatehouse/database/statement';
import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { Refusal } from '@gatehouse/service-kit/refusal';
import type { EntityManager } from 'typeorm';

const IS_OF_INACTIVE_MAKER = statement<{ found: boolean }>(
  `SELECT TRUE AS found FROM scim_tokens t JOIN users u ON u.issuer = t.created_by_issuer AND u.subject = t.created_by_subject
   WHERE t.id = $1 AND u.id = $2 AND NOT u.active`,
);
const IS_REMOVED_MAKER = statement<{ found: boolean }>(
  `SELECT TRUE AS found FROM scim_tokens t
   JOIN departed_people d ON d.issuer = t.created_by_issuer AND d.subject = t.created_by_subject
   WHERE t.id = $1 AND d.issuer = $2 AND d.subject = $3
     AND NOT EXISTS (SELECT FROM users u WHERE u.issuer = d.issuer AND u.subject = d.subject)`,
);

/** Nobody comes back by a SCIM token that they made themselves. @throws Refusal forbidden for the inactive entry of the person who made the token */
export async function refuseInactiveMaker(manager: EntityManager, caller: OwnCaller, userId: string): Promise<void> {
  if (await IS_OF_INACTIVE_MAKER.row(manager, [caller.subject, userId])) throw ownMaker();
}

/** The same for a person who was removed. @param subject of the new entry */
export async function refuseRemovedMaker(
  manager: EntityManager,
  caller: OwnCaller,
  issuer: string,
  subject: string | undefined,
): Promise<void> {
  if (subject !== undefined && (await IS_REMOVED_MAKER.row(manager, [caller.subject, issuer, subject])))
    throw ownMaker();
}

const ownMaker = (): Refusal =>
  new Refusal(
    'forbidden',
    'this token cannot bring back the person who made it: another administrator has to make a new SCIM token for it',
  );
