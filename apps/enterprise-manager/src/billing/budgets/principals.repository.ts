import { statement } from '@gatehouse/database/statement';
import { readUsd } from '@gatehouse/money/usd';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { personRef } from '../../validation/person-ref.ts';
import { type Candidate, type GroupBudgets, type PeriodLimit, listCandidates } from './payer.ts';
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
  /**
   * The directory entry; none for somebody whom the directory does not know any more, or never did.
   */
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

/** A person, or (without a place) a group and one that holds it, directly or through others. */
interface FoundRow {
  /** Place of the reference. */
  ord: number | null;
  /** Whose key it is; null for a person who was named. */
  key_issuer: string | null;
  key_subject: string | null;
  key_id: string | null;
  key_works: boolean;
  key_version: number | null;
  /** The person's entry; of a row without a place the group. */
  id: string | null;
  user_active: boolean | null;
  /** The groups that the person belongs to directly, or the group that holds this one. */
  groups: string;
}

interface BudgetRow {
  scope: 'user' | 'group' | 'default';
  subject_id: string;
  period: Period;
  limit_usd: string;
  precedence: number | null;
}

/**
 * A key ends with its owner's entry, and when the entry becomes somebody else's: only the person
 * who made it is charged, and only as long as it works. LATERAL with OFFSET 0 has Postgres look up
 * what belongs to each instead of reading all people, keys or memberships. Which groups hold a
 * group is found once for each that anybody is in: people share them.
 */
const FIND = statement<FoundRow>(`
  WITH RECURSIVE asked AS MATERIALIZED (
    SELECT a.ord, k.issuer AS key_issuer, k.subject AS key_subject, k.id AS key_id, k.version AS key_version, u.id, u.active AS user_active,
      k.id IS NOT NULL AND k.revoked_at IS NULL AND NOT (k.disabled_by_owner OR k.disabled_by_administrator OR k.disabled_by_deactivation)
        AND (k.expires_at IS NULL OR k.expires_at > $5) AS key_works,
      ARRAY(SELECT group_id FROM group_users WHERE user_id = u.id) AS groups
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS a (ord, issuer, subject, key_id)
    LEFT JOIN LATERAL (
      SELECT id, issuer, subject, version, revoked_at, disabled_by_owner, disabled_by_administrator, disabled_by_deactivation, expires_at
      FROM virtual_keys WHERE id = a.key_id OFFSET 0) AS k ON TRUE
    LEFT JOIN LATERAL (
      SELECT id, active FROM users WHERE issuer = COALESCE(k.issuer, a.issuer) AND subject = COALESCE(k.subject, a.subject) OFFSET 0) AS u ON TRUE
  ), holding AS (
    SELECT g.id, s.parent_id FROM (SELECT DISTINCT unnest(groups) AS id FROM asked) AS g
    CROSS JOIN LATERAL (SELECT parent_id FROM group_subgroups WHERE child_id = g.id OFFSET 0) AS s
    UNION SELECT h.id, s.parent_id FROM holding h
    CROSS JOIN LATERAL (SELECT parent_id FROM group_subgroups WHERE child_id = h.parent_id OFFSET 0) AS s
  )
  SELECT ord, key_issuer, key_subject, key_id, key_version, id, user_active, key_works, array_to_string(groups, ' ') AS groups FROM asked
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, id, NULL, NULL, parent_id::text FROM holding`);

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
   * The principals behind references, in their order; undefined for a key that does not exist. Call
   * it in the transaction that decides, after `lockBudgetsShared`.
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
    const groupsOf = holdingGroups(found);
    const byText = new Map<string, Principal>();
    for (const row of found) {
      const [text, ref] = (row.ord === null ? undefined : distinct[row.ord]) ?? [];
      const person = text !== undefined && ref !== undefined && this.personOf(ref, row, groupsOf(row.groups));
      if (person) byText.set(text, person);
    }
    const people = [...byText.values()];
    const budgets = await this.budgetsOf(
      manager,
      people.map(({ subject_id }) => subject_id),
      people.flatMap(({ groups }) => groups),
    );
    for (const person of people) person.candidates = budgets(person.subject_id, person.groups);
    return texts.map((text) => byText.get(text));
  }

  /** A person for whom nobody can pay yet; undefined for a key that does not exist. */
  private personOf(ref: PrincipalRef, row: FoundRow, groups: readonly string[]): Principal | undefined {
    const { key_id } = row;
    const issuer = 'issuer' in ref ? ref.issuer : row.key_issuer;
    const subject = 'subject' in ref ? ref.subject : row.key_subject;
    if (issuer === null || subject === null) return undefined;
    const entryState = row.id !== null && row.user_active === true ? 'active' : 'principal_inactive';
    return {
      issuer,
      subject,
      subject_id: personRef(this.settings.ISSUERS, { issuer, subject }),
      user_id: row.id ?? undefined,
      groups,
      virtual_key_id: key_id ?? undefined,
      key_version: row.key_version ?? 0,
      state: key_id !== null && !row.key_works ? 'key_inactive' : entryState,
      candidates: [],
    };
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
      listCandidates(subjectId, limits.get(`user ${subjectId}`) ?? [], byDefault, held.map(groupBudgets));
  }
}

const textOf = (ref: PrincipalRef): string =>
  'issuer' in ref ? JSON.stringify([ref.issuer, ref.subject]) : JSON.stringify([ref.virtual_key_id]);

/** All groups that hold somebody who is in some, by their ids joined; in the order of their ids. */
function holdingGroups(found: readonly FoundRow[]): (direct: string) => readonly string[] {
  const above = new Map<string, string[]>();
  for (const { ord, id, groups } of found) {
    if (ord !== null || id === null) continue;
    const known = above.get(id);
    if (known === undefined) above.set(id, [groups]);
    else known.push(groups);
  }
  return (direct) => {
    if (direct === '') return [];
    const ids = direct.split(' ');
    if (above.size === 0) return ids.sort();
    return [...new Set(ids.flatMap((id) => [id, ...(above.get(id) ?? [])]))].sort();
  };
}
