import { statement } from '@gatehouse/database/statement';
import type { EntityManager } from 'typeorm';

const LOCK = statement<{ id: string }>('SELECT id FROM groups WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE');

/** Locks groups against deletion until the transaction ends. @returns the ids that exist */
export async function lockGroups(manager: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await LOCK.rows(manager, [ids])).map(({ id }) => id));
}
