import { statement } from '@gatehouse/database/statement';
import { readUsd } from '@gatehouse/money/usd';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { getOwnerRef } from '@gatehouse/auth/owner-ref';
import { type Candidate, type GroupBudgets, type PeriodLimit, listCandidates } from './payer.ts';
import type { Period } from './period.ts';

/** A reference to a principal: a user by a verified token, or the owner of a virtual key. */
export type PrincipalRef = { issuer: string; subject: string } | { virtual_key_id: string };

/** Whether a principal may use models, and the reason if not. */
export type PrincipalState = 'active' | 'key_inactive' | 'principal_inactive';

/** A principal by the current state of the directory. */
export interface Principal {
  issuer: string;
  subject: string;
  /** The user as budgets and reports name it (`getOwnerRef`). */
  subject_id: string;
  /** The directory entry; undefined for a user without one. */
  user_id: string | undefined;
  /** All groups of the user, including those through subgroups. */
  groups: readonly string[];
  virtual_key_id: string | undefined;
  /** The version of the key; 0 without a key. */
  key_version: number;
  state: PrincipalState;
  /** The payers in order. */
  candidates: readonly Candidate[];
}

/** A user; or, with `ord` null, a group and a group that contains it directly or indirectly. */
interface FoundRow {
  /** Index of the reference. */
  ord: number | null;
  /** The owner of the key; null for a reference by token. */
  key_issuer: string | null;
  key_subject: string | null;
  key_id: string | null;
  key_is_usable: boolean;
  key_version: number | null;
  /** The directory entry of the user; the group in a row of groups. */
  id: string | null;
  user_active: boolean | null;
  /** The direct groups of the user, joined by spaces; or the group that contains this one. */
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
 * A key works only while an active entry has its issuer and subject, so that only its creator is
 * charged. LATERAL with OFFSET 0 forces index lookups instead of scans of all users, keys or
 * memberships. The containing groups are found once for each direct group, because users share
 * them.
 */
const FIND = statement<FoundRow>(`
  WITH RECURSIVE requested AS MATERIALIZED (
    SELECT a.ord, k.issuer AS key_issuer, k.subject AS key_subject, k.id AS key_id, k.version AS key_version, u.id, u.active AS user_active,
      k.id IS NOT NULL AND k.revoked_at IS NULL AND NOT (k.disabled_by_owner OR k.disabled_by_administrator OR k.disabled_by_deactivation)
        AND (k.expires_at IS NULL OR k.expires_at > $5) AS key_is_usable,
      ARRAY(SELECT group_id FROM group_users WHERE user_id = u.id) AS groups
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS a (ord, issuer, subject, key_id)
    LEFT JOIN LATERAL (
      SELECT id, issuer, subject, version, revoked_at, disabled_by_owner, disabled_by_administrator, disabled_by_deactivation, expires_at
      FROM virtual_keys WHERE id = a.key_id OFFSET 0) AS k ON TRUE
    LEFT JOIN LATERAL (
      SELECT id, active FROM users WHERE issuer = COALESCE(k.issuer, a.issuer) AND subject = COALESCE(k.subject, a.subject) OFFSET 0) AS u ON TRUE
  ), containing AS (
    SELECT g.id, s.parent_id FROM (SELECT DISTINCT unnest(groups) AS id FROM requested) AS g
    CROSS JOIN LATERAL (SELECT parent_id FROM group_subgroups WHERE child_id = g.id OFFSET 0) AS s
    UNION SELECT h.id, s.parent_id FROM containing h
    CROSS JOIN LATERAL (SELECT parent_id FROM group_subgroups WHERE child_id = h.parent_id OFFSET 0) AS s
  )
  SELECT ord, key_issuer, key_subject, key_id, key_version, id, user_active, key_is_usable, array_to_string(groups, ' ') AS groups FROM requested
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, id, NULL, NULL, parent_id::text FROM containing`);

const READ_BUDGETS = statement<BudgetRow>(`
  SELECT b.scope, b.subject_id, b.period, b.limit_usd, p.precedence
  FROM budgets b LEFT JOIN group_precedences p ON b.scope = 'group' AND p.subject_id = b.subject_id
  WHERE (b.scope = 'user' AND b.subject_id = ANY ($1::text[])) OR (b.scope = 'group' AND b.subject_id = ANY ($2::text[]))
  UNION ALL SELECT 'default', '', period, limit_usd, NULL FROM default_user_budget`);

/** Finds the users of requests and the payers of their requests. */
@Injectable()
export class PrincipalsRepository {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Finds the principals of references, in their order; undefined for a key that does not exist.
   * Call it after `lockBudgetsShared`, in the transaction that decides.
   * @param now decides which keys have expired
   */
  async find(manager: EntityManager, refs: readonly PrincipalRef[], now: Date): Promise<(Principal | undefined)[]> {
    const texts = refs.map(toText);
    const distinct = [...new Map(refs.map((ref, at) => [texts[at], ref]))];
    const found = await FIND.rows(manager, [
      distinct.map((_, at) => at),
      distinct.map(([, ref]) => ('issuer' in ref ? ref.issuer : null)),
      distinct.map(([, ref]) => ('subject' in ref ? ref.subject : null)),
      distinct.map(([, ref]) => ('virtual_key_id' in ref ? ref.virtual_key_id : null)),
      now.toISOString(),
    ]);
    const listAllGroups = collectGroups(found);
    const byText = new Map<string, Principal>();
    for (const row of found) {
      const [text, ref] = (row.ord === null ? undefined : distinct[row.ord]) ?? [];
      const principal =
        text !== undefined && ref !== undefined && this.toPrincipal(ref, row, listAllGroups(row.groups));
      if (principal) byText.set(text, principal);
    }
    const principals = [...byText.values()];
    const listPayers = await this.readBudgets(
      manager,
      principals.map(({ subject_id }) => subject_id),
      principals.flatMap(({ groups }) => groups),
    );
    for (const principal of principals) principal.candidates = listPayers(principal.subject_id, principal.groups);
    return texts.map((text) => byText.get(text));
  }

  /** @returns a principal without candidates; undefined for a key that does not exist */
  private toPrincipal(ref: PrincipalRef, row: FoundRow, groups: readonly string[]): Principal | undefined {
    const { key_id } = row;
    const issuer = 'issuer' in ref ? ref.issuer : row.key_issuer;
    const subject = 'subject' in ref ? ref.subject : row.key_subject;
    if (issuer === null || subject === null) return undefined;
    const entryState = row.id !== null && row.user_active === true ? 'active' : 'principal_inactive';
    return {
      issuer,
      subject,
      subject_id: getOwnerRef(this.settings.ISSUERS, { issuer, subject }),
      user_id: row.id ?? undefined,
      groups,
      virtual_key_id: key_id ?? undefined,
      key_version: row.key_version ?? 0,
      state: key_id !== null && !row.key_is_usable ? 'key_inactive' : entryState,
      candidates: [],
    };
  }

  /** Reads budgets. @returns a function that lists the payers of a user with groups */
  private async readBudgets(manager: EntityManager, users: readonly string[], groups: readonly string[]) {
    const rows = await READ_BUDGETS.rows(manager, [[...new Set(users)], [...new Set(groups)]]);
    const limits = new Map<string, PeriodLimit[]>();
    const precedences = new Map<string, number>();
    let defaultBudget: PeriodLimit | undefined;
    for (const { scope, subject_id, period, limit_usd, precedence } of rows) {
      const limit = { period, limit: readUsd(limit_usd) };
      if (scope === 'default') defaultBudget = limit;
      else limits.set(`${scope} ${subject_id}`, [...(limits.get(`${scope} ${subject_id}`) ?? []), limit]);
      if (precedence !== null) precedences.set(subject_id, precedence);
    }
    const toGroupBudgets = (id: string): GroupBudgets => ({
      id,
      precedence: precedences.get(id),
      limits: limits.get(`group ${id}`) ?? [],
    });
    return (subjectId: string, groupIds: readonly string[]): Candidate[] =>
      listCandidates(subjectId, limits.get(`user ${subjectId}`) ?? [], defaultBudget, groupIds.map(toGroupBudgets));
  }
}

const toText = (ref: PrincipalRef): string =>
  'issuer' in ref ? JSON.stringify([ref.issuer, ref.subject]) : JSON.stringify([ref.virtual_key_id]);

/** @returns a function that lists all groups for some direct groups, sorted by id */
function collectGroups(found: readonly FoundRow[]): (direct: string) => readonly string[] {
  const parents = new Map<string, string[]>();
  for (const { ord, id, groups } of found) {
    if (ord !== null || id === null) continue;
    const known = parents.get(id);
    if (known === undefined) parents.set(id, [groups]);
    else known.push(groups);
  }
  return (direct) => {
    if (direct === '') return [];
    const ids = direct.split(' ');
    if (parents.size === 0) return ids.sort();
    return [...new Set(ids.flatMap((id) => [id, ...(parents.get(id) ?? [])]))].sort();
  };
}
