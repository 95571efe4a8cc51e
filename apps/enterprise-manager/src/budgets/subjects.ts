import { statement } from '@gatehouse/database/statement';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../config.ts';
import { type Person, personNamed, personRef } from '../directory/person-ref.ts';

/** As the directory writes its ids. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An id that is somebody's subject as well names that person. */
const BY_ID = statement<Person & { id: string }>(
  `SELECT u.id::text AS id, u.issuer, u.subject FROM users u WHERE u.id = ANY ($1::uuid[])
   AND NOT EXISTS (SELECT FROM users s WHERE s.issuer = $2 AND s.subject = u.id::text)`,
);

/** What administrators may call the people whom budgets and alerts are about: by a `subject_id` (`personRef`) that nobody need have yet. */
@Injectable()
export class Subjects {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** One person has one name: `<id of the first issuer>/<subject>` is the subject alone. @returns undefined for what names an issuer and nobody of it */
  known(subjectId: string): string | undefined {
    const { ISSUERS } = this.settings;
    const person = personNamed(ISSUERS, subjectId);
    return person === undefined || person.subject === '' ? undefined : personRef(ISSUERS, person);
  }

  /**
   * Those that are a person's id in the directory: they would be taken for somebody who has no token yet, and nothing that is said of them would ever hold.
   * @returns what is wrong with each, after the name of its field
   */
  async mistaken(manager: EntityManager, subjectIds: readonly string[]): Promise<Map<string, string>> {
    const { ISSUERS } = this.settings;
    const ids = [...new Set(subjectIds)].filter((subjectId) => UUID.test(subjectId));
    const people = ids.length === 0 ? [] : await BY_ID.rows(manager, [ids, ISSUERS[0]?.issuer ?? '']);
    return new Map(people.map(({ id, ...person }) => [id, ofDirectory(personRef(ISSUERS, person))]));
  }
}

/** What is wrong with a `subject_id` that `known` does not know. */
export const NOBODY = 'names an issuer and nobody of it';

const ofDirectory = (subjectId: string): string =>
  `is the id of a person in the directory, whose subject_id is ${JSON.stringify(subjectId)}`;
