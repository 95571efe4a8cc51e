import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { groupName } from '../../validation/names.ts';
import { candidatesOf, nameRoot, namesOf, type StoredGroup } from './group.ts';

/** Candidates of the first look for a free name; each further look takes twice as many. */
const FIRST_LOOK = 16;

/** The names of groups in the database. */
@Injectable()
export class GroupNamesRepository {
  /**
   * Everything of a group that follows from its display name. The name gets a suffix where another
   * group has it (`c`, `c-2`), and stays as long as the display name asks for the same one. The
   * lock makes two transactions that want one name take turns; it holds until the transaction ends.
   * @param held the names that the group has now; undefined for a new one
   */
  async take(
    manager: EntityManager,
    id: string,
    displayName: string,
    held?: Pick<StoredGroup, 'name' | 'display_name'>,
  ): Promise<ReturnType<typeof namesOf>> {
    const wanted = groupName(displayName);
    if (held && groupName(held.display_name) === wanted) return namesOf(displayName, held.name);
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('group names of ' || $1, 0))`, [
      nameRoot(wanted),
    ]);
    for (let first = 1, count = FIRST_LOOK; ; first += count, count *= 2) {
      const candidates = candidatesOf(wanted, first, count);
      const rows: { name: string }[] = await manager.query(
        'SELECT name FROM groups WHERE name = ANY ($1::text[]) AND id <> $2',
        [candidates, id],
      );
      const taken = new Set(rows.map(({ name }) => name));
      const free = candidates.find((candidate) => !taken.has(candidate));
      if (free !== undefined) return namesOf(displayName, free);
    }
  }
}
