import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { deriveGroupName } from '../../validation/names.ts';
import { deriveNames, listCandidates, getNameRoot, type StoredGroup } from './group.ts';

/** Number of candidates of the first query for an unused name; each further query doubles it. */
const FIRST_CANDIDATES = 16;

/** The names of groups in the database. */
@Injectable()
export class GroupNamesRepository {
  /**
   * Computes the columns of a group that follow from its display name. A name in use gets a suffix
   * (`c`, `c-2`). The group keeps its name while its display name gives the same one. An advisory
   * lock serializes transactions for one name until they end.
   * @param current the present names of the group; undefined for a new group
   */
  async reserve(
    manager: EntityManager,
    id: string,
    displayName: string,
    current?: Pick<StoredGroup, 'name' | 'display_name'>,
  ): Promise<ReturnType<typeof deriveNames>> {
    const wanted = deriveGroupName(displayName);
    if (current && deriveGroupName(current.display_name) === wanted) return deriveNames(displayName, current.name);
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('group names of ' || $1, 0))`, [
      getNameRoot(wanted),
    ]);
    for (let first = 1, count = FIRST_CANDIDATES; ; first += count, count *= 2) {
      const candidates = listCandidates(wanted, first, count);
      const rows: { name: string }[] = await manager.query(
        'SELECT name FROM groups WHERE name = ANY ($1::text[]) AND id <> $2',
        [candidates, id],
      );
      const taken = new Set(rows.map(({ name }) => name));
      const unused = candidates.find((candidate) => !taken.has(candidate));
      if (unused !== undefined) return deriveNames(displayName, unused);
    }
  }
}
