import { statement } from '@gatehouse/database/statement';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { personNamed, personRef } from '../../validation/person-ref.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A directory entry that a text names by its id. `subject` is null until the user has signed in.
 */
interface NamedById {
  named: string;
  issuer: string;
  subject: string | null;
}

/** A text that is also the subject of a user names that user. */
const BY_ID = statement<NamedById>(
  `SELECT n.named, u.issuer, u.subject FROM unnest($1::text[]) AS n (named) JOIN users u ON u.id = n.named::uuid
   WHERE NOT EXISTS (SELECT FROM users s WHERE s.issuer = $2 AND s.subject = n.named)`,
);

/**
 * What administrators may call the people whom budgets and alerts are about: by a `subject_id`
 * (`personRef`) that nobody need have yet.
 */
@Injectable()
export class Subjects {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * One person has one name: `<id of the first issuer>/<subject>` is the subject alone.
   * @returns undefined for what names an issuer and nobody of it
   */
  known(subjectId: string): string | undefined {
    const { ISSUERS } = this.settings;
    const person = personNamed(ISSUERS, subjectId);
    return person === undefined || person.subject === '' ? undefined : personRef(ISSUERS, person);
  }

  /**
   * Those that are a person's id in the directory: they would be taken for somebody who has no
   * token yet, and nothing that is said of them would ever hold.
   * @returns what is wrong with each, after the name of its field
   */
  async mistaken(manager: EntityManager, subjectIds: readonly string[]): Promise<Map<string, string>> {
    const { ISSUERS } = this.settings;
    const ids = [...new Set(subjectIds)].filter((subjectId) => UUID.test(subjectId));
    const people = ids.length === 0 ? [] : await BY_ID.rows(manager, [ids, ISSUERS[0]?.issuer ?? '']);
    return new Map(people.map((person) => [person.named, this.advice(person)]));
  }

  private advice({ issuer, subject }: NamedById): string {
    if (subject === null)
      return 'is the directory id of a user who has not signed in yet and has no subject_id; use the subject that the tokens of this user will have';
    const subjectId = JSON.stringify(personRef(this.settings.ISSUERS, { issuer, subject }));
    return `is the id of a person in the directory, whose subject_id is ${subjectId}`;
  }
}

/** What is wrong with a `subject_id` that `known` does not know. */
export const NOBODY = 'names an issuer and nobody of it';
