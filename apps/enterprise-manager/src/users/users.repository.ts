import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { keysetSql, type KeysetStep } from '../database/keyset.ts';
import { comparisonKey, containing, searchKey } from '../directory/names.ts';
import type { UserRow } from './user.entity.ts';

/** Which people a list shows. Names and addresses are compared in their comparison form. */
export interface UserFilter {
  email?: string | undefined;
  user_name?: string | undefined;
  source?: string | undefined;
  active?: boolean | undefined;
  search?: string | undefined;
  /** Id of a group: only people in it, directly or through its subgroups. */
  within?: string | undefined;
}

/** What the configuration says about a person. */
export interface ConfiguredUser {
  issuer: string;
  subject: string;
  user_name: string;
  email?: string | undefined;
  display_name: string;
}

const COLUMNS = `u.id, u.issuer, u.subject, u.user_name, u.user_name_key, u.email, u.email_key, u.display_name, u.photo_url, u.source, u.active,
   u.search_key, u.created_at, u.updated_at`;
const BY_ID = statement<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $1`);
const BY_PERSON = statement<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.issuer = $1 AND u.subject = $2`);

/** The people of the directory in the database. */
@Injectable()
export class UsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** People in the order in which they came. */
  async list(filter: UserFilter, step: KeysetStep): Promise<UserRow[]> {
    const params: unknown[] = [];
    const conditions = userConditions(filter, params);
    const { where, orderBy } = keysetSql(
      step,
      [
        ['u.created_at', 'timestamptz'],
        ['u.id', 'uuid'],
      ],
      'ascending',
      params,
    );
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM users u WHERE ${[...conditions, where].join(' AND ')}
       ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  /** The person with an id. */
  find(id: string): Promise<UserRow | undefined> {
    return BY_ID.row(this.dataSource.manager, [id]);
  }

  /** The person that a verified token speaks of. */
  findByPerson(issuer: string, subject: string): Promise<UserRow | undefined> {
    return BY_PERSON.row(this.dataSource.manager, [issuer, subject]);
  }

  /** Whether the person exists; stays true until the transaction ends. */
  async holdForMembership(manager: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await manager.query('SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE', [id]);
    return rows.length > 0;
  }

  /**
   * Adds the people of the configuration, and renames those that came from it before. People from other sources are left as they are.
   * @returns how many rows were added or changed
   */
  async upsertConfigured(manager: EntityManager, people: readonly ConfiguredUser[], now: string): Promise<number> {
    const rows = people.map((person) => ({
      ...person,
      id: uuidv7(),
      email: person.email ?? null,
      user_name_key: comparisonKey(person.user_name),
      email_key: person.email === undefined ? null : comparisonKey(person.email),
      search_key: searchKey(person.display_name, person.user_name, person.email),
    }));
    // In the order of the key: replicas that do this at once wait for each other instead of deadlocking.
    const changed: unknown[] = await manager.query(
      `WITH changed AS (
         INSERT INTO users (id, issuer, subject, user_name, user_name_key, email, email_key, display_name, source, active,
                            search_key, created_at, updated_at)
         SELECT id, issuer, subject, user_name, user_name_key, email, email_key, display_name, 'config', TRUE, search_key, $2, $2
         FROM jsonb_to_recordset($1::jsonb) AS person (id uuid, issuer text, subject text, user_name text, user_name_key text,
                                                       email text, email_key text, display_name text, search_key text)
         ORDER BY issuer, subject
         ON CONFLICT (issuer, subject) DO UPDATE
         SET user_name = excluded.user_name, user_name_key = excluded.user_name_key, email = excluded.email,
             email_key = excluded.email_key, display_name = excluded.display_name, search_key = excluded.search_key,
             updated_at = excluded.updated_at
         WHERE users.source = 'config'
           AND (users.user_name, users.email, users.display_name)
               IS DISTINCT FROM (excluded.user_name, excluded.email, excluded.display_name)
         RETURNING TRUE AS done)
       SELECT * FROM changed`,
      [JSON.stringify(rows), now],
    );
    return changed.length;
  }
}

/** The WHERE conditions of a filter over `users u`. @param params gets the values appended */
function userConditions(filter: UserFilter, params: unknown[]): string[] {
  const { email, user_name, source, active, search, within } = filter;
  return [
    email !== undefined && `u.email_key = $${params.push(comparisonKey(email))}`,
    user_name !== undefined && `u.user_name_key = $${params.push(comparisonKey(user_name))}`,
    source !== undefined && `u.source = $${params.push(source)}`,
    active !== undefined && `u.active = $${params.push(active)}`,
    search !== undefined && `u.search_key LIKE $${params.push(containing(search))}`,
    within !== undefined &&
      `u.id IN (
         WITH RECURSIVE inside AS (
           SELECT $${params.push(within)}::uuid AS id
           UNION SELECT s.child_id FROM inside JOIN group_subgroups s ON s.parent_id = inside.id)
         SELECT m.user_id FROM inside JOIN group_users m ON m.group_id = inside.id)`,
  ].filter((condition) => condition !== false);
}
