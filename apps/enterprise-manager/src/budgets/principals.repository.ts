import { statement } from '@gatehouse/database/statement';
import { readUsd } from '@gatehouse/money/usd';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../config.ts';
import { personRef } from '../directory/person-ref.ts';
import { type Candidate, type GroupBudgets, type PeriodLimit, candidatesFor } from './payer.ts';
import type { Period } from './period.ts';

/** Whom a gateway speaks of: a person by a verified token, or the owner of a virtual key. */
export type PrincipalRef = { issuer: string; subject: string } | { virtual_key_id: string };

/** What stands against a principal, if anything does. */
export type PrincipalState = 'active' | 'key_inactive' | 'principal_inactive';

/** A principal as the directory has it now. */
export interface Principal {
  issuer: string;
  subject: string;
  /** How budgets and reports name the person (`personRef`). */
  subject_id: string;
  /** The directory entry; none for somebody whom the directory does not know any more, or never did. */
  user_id: string | undefined;
  /** All groups that hold the person, also through subgroups. */
  groups: readonly string[];
  virtual_key_id: string | undefined;
  /** The key's version, 0 where there is no key. */
  key_version: number;
  state: PrincipalState;
  /** Who would pay, in order. */
  candidates: readonly Candidate[];
}

interface FoundRow {
  /** Place of the reference; none for a row that says nothing but the groups of a person. */
  ord: number | null;
  issuer: string | null;
  subject: string | null;
  key_id: string | null;
  key_works: boolean;
  key_version: number | null;
  user_id: string | null;
  user_active: boolean;
  groups: string | null;
}

interface BudgetRow {
  scope: 'user' | 'group' | 'default';
  subject_id: string;
  period: Period;
  limit_usd: string;
  precedence: number | null;
}

/**
 * A key ends with its owner's entry, and when the entry becomes somebody else's: only the person who made it is charged, and only as long as it works. Groups
 * are found for all people together; OFFSET 0 has Postgres look up what belongs to each of them instead of reading all memberships. They come in rows of their
 * own: Postgres does not know how many they are, and some versions join them to the people in a loop in a loop.
 */
const FIND = statement<FoundRow>(`
  WITH RECURSIVE asked AS (
    SELECT a.ord, COALESCE(k.issuer, a.issuer) AS issuer, COALESCE(k.subject, a.subject) AS subject, k.id AS key_id, k.version AS key_version,
      u.id AS user_id, COALESCE(u.active, FALSE) AS user_active,
      k.id IS NOT NULL AND k.revoked_at IS NULL AND NOT (k.disabled_by_owner OR k.disabled_by_administrator OR k.disabled_by_deactivation)
        AND (k.expires_at IS NULL OR k.expires_at > $5) AS key_works
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS a (ord, issuer, subject, key_id)
    LEFT JOIN virtual_keys k ON k.id = a.key_id
    LEFT JOIN users u ON u.issuer = COALESCE(k.issuer, a.issuer) AND u.subject = COALESCE(k.subject, a.subject)
  ), holding AS (
    SELECT p.user_id, m.group_id FROM (SELECT DISTINCT user_id FROM asked WHERE user_id IS NOT NULL) AS p
    CROSS JOIN LATERAL (SELECT group_id FROM group_users WHERE user_id = p.user_id OFFSET 0) AS m
    UNION SELECT h.user_id, s.parent_id FROM holding h
    CROSS JOIN LATERAL (SELECT parent_id FROM group_subgroups WHERE child_id = h.group_id OFFSET 0) AS s
  )
  SELECT ord, issuer, subject, key_id, key_version, user_id, user_active, key_works, NULL AS groups FROM asked
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, user_id, NULL, NULL, string_agg(group_id::text, ' ' ORDER BY group_id) FROM holding GROUP BY user_id`);

const BUDGETS = statement<BudgetRow>(`
  SELECT b.scope, b.subject_id, b.period, b.limit_usd, p.precedence
  FROM budgets b LEFT JOIN group_precedences p ON b.scope = 'group' AND p.subject_id = b.subject_id
  WHERE (b.scope = 'user' AND b.subject_id = ANY ($1::text[])) OR (b.scope = 'group' AND b.subject_id = ANY ($2::text[]))
  UNION ALL SELECT 'default', '', period, limit_usd, NULL FROM default_user_budget`);

/** Who is charged for a request, and who may have to pay for it. */
@Injectable()
export class PrincipalsRepository {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * The principals behind references, in their order; undefined for a key that does not exist. Call it in the transaction that decides, after `holdBudgets`.
   * @param now decides which keys have expired
   */
  async find(manager: EntityManager, refs: readonly PrincipalRef[], now: Date): Promise<(Principal | undefined)[]> {
    const texts = refs.map(textOf);
    const distinct = [...new Map(refs.map((ref, at) => [texts[at], ref]))];
    const found = await FIND.rows(manager, [
      distinct.map((_, at) => at),
      distinct.map(([, ref]) => ('issuer' in ref ? ref.issuer : null)),
      distinct.map(([, ref]) => ('subject' in ref ? ref.subject : null)),
      distinct.map(([, ref]) => ('virtual_key_id' in ref ? ref.virtual_key_id : null)),
      now.toISOString(),
    ]);
    const groups = new Map(
      found.map(({ ord, user_id, groups }) => [ord === null ? user_id : undefined, groups?.split(' ')]),
    );
    const people = found.flatMap((row) => this.personOf(row, groups.get(row.user_id) ?? []));
    const budgets = await this.budgetsOf(
      manager,
      people.map(({ subject_id }) => subject_id),
      people.flatMap(({ groups }) => groups),
    );
    const byText = new Map(
      people.map(({ ord, ...person }) => [
        distinct[ord]?.[0],
        { ...person, candidates: budgets(person.subject_id, person.groups) },
      ]),
    );
    return texts.map((text) => byText.get(text));
  }

  private personOf(row: FoundRow, groups: readonly string[]) {
    const { ord, issuer, subject, key_id } = row;
    if (ord === null || issuer === null || subject === null) return [];
    const entryState = row.user_id !== null && row.user_active ? 'active' : 'principal_inactive';
    const state: PrincipalState = key_id !== null && !row.key_works ? 'key_inactive' : entryState;
    return [
      {
        ord,
        issuer,
        subject,
        subject_id: personRef(this.settings.ISSUERS, { issuer, subject }),
        user_id: row.user_id ?? undefined,
        groups,
        virtual_key_id: key_id ?? undefined,
        key_version: row.key_version ?? 0,
        state,
      },
    ];
  }

  /** @returns who would pay for a person in groups */
  private async budgetsOf(manager: EntityManager, people: readonly string[], groups: readonly string[]) {
    const rows = await BUDGETS.rows(manager, [[...new Set(people)], [...new Set(groups)]]);
    const limits = new Map<string, PeriodLimit[]>();
    const precedences = new Map<string, number>();
    let byDefault: PeriodLimit | undefined;
    for (const { scope, subject_id, period, limit_usd, precedence } of rows) {
      const limit = { period, limit: readUsd(limit_usd) };
      if (scope === 'default') byDefault = limit;
      else limits.set(`${scope} ${subject_id}`, [...(limits.get(`${scope} ${subject_id}`) ?? []), limit]);
      if (precedence !== null) precedences.set(subject_id, precedence);
    }
    const groupBudgets = (id: string): GroupBudgets => ({
      id,
      precedence: precedences.get(id),
      limits: limits.get(`group ${id}`) ?? [],
    });
    return (subjectId: string, held: readonly string[]): Candidate[] =>
      candidatesFor(subjectId, limits.get(`user ${subjectId}`) ?? [], byDefault, held.map(groupBudgets));
  }
}

const textOf = (ref: PrincipalRef): string =>
  'issuer' in ref ? JSON.stringify([ref.issuer, ref.subject]) : JSON.stringify([ref.virtual_key_id]);
