import { isUuid } from '../../validation/text.ts';
import { statement } from '@gatehouse/database/statement';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { parseOwnerRef, getOwnerRef } from '@gatehouse/auth/owner-ref';

/** A directory entry whose id was given. `subject` is null until the first sign-in. */
interface EntryById {
  given: string;
  issuer: string;
  subject: string | null;
}

/** A text that is also the subject of a user names that user. */
const FIND_BY_ID = statement<EntryById>(
  `SELECT n.given, u.issuer, u.subject FROM unnest($1::text[]) AS n (given) JOIN users u ON u.id = n.given::uuid
   WHERE NOT EXISTS (SELECT FROM users s WHERE s.issuer = $2 AND s.subject = n.given)`,
);

/**
 * Resolves the `subject_id` of users in budgets and alerts: an owner reference (`getOwnerRef`). The
 * user need not exist yet.
 */
@Injectable()
export class SubjectResolver {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Returns the only form of a `subject_id`: `<id of the first issuer>/<subject>` is the subject.
   * @returns undefined for an issuer without a subject
   */
  normalize(subjectId: string): string | undefined {
    const { ISSUERS } = this.settings;
    const person = parseOwnerRef(ISSUERS, subjectId);
    return person === undefined || person.subject === '' ? undefined : getOwnerRef(ISSUERS, person);
  }

  /**
   * Finds values that are the directory id of a user. Without this check they would count as users
   * without a token yet, and their budgets would never apply.
   * @returns a message for each of them, to follow the name of the field
   */
  async findDirectoryIds(manager: EntityManager, subjectIds: readonly string[]): Promise<Map<string, string>> {
    const { ISSUERS } = this.settings;
    const ids = [...new Set(subjectIds)].filter(isUuid);
    const entries = ids.length === 0 ? [] : await FIND_BY_ID.rows(manager, [ids, ISSUERS[0]?.issuer ?? '']);
    return new Map(entries.map((entry) => [entry.given, this.describeMistake(entry)]));
  }

  private describeMistake({ issuer, subject }: EntryById): string {
    if (subject === null)
      return 'is the directory id of a user who has not signed in yet and has no subject_id; use the subject that the tokens of this user will have';
    const subjectId = JSON.stringify(getOwnerRef(this.settings.ISSUERS, { issuer, subject }));
    return `is the directory id of a user; use the subject_id ${subjectId} instead`;
  }
}

/** The message for a `subject_id` that `normalize` does not accept. */
export const UNKNOWN_SUBJECT = 'names an issuer without a subject; use "<issuer id>/<subject>"';
