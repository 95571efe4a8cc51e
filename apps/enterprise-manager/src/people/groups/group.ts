import { HttpError } from '@gatehouse/service-kit/http-error';
import { comparisonKey, searchKey } from '../../validation/names.ts';
import type { Stored } from '../../database/stored.ts';
import type { GroupRow } from './group.entity.ts';

/** A group as it is stored. */
export type StoredGroup = Stored<GroupRow>;

/** Groups on the longest way from a top group to a bottom group. */
export const MAX_GROUP_DEPTH = 32;

/** Direct members that the read of one group shows; the rest is paged. */
export const MAX_SHOWN_MEMBERS = 1_000;

/** The columns of a group that hold its names. */
type GroupNames = Pick<StoredGroup, 'name' | 'display_name' | 'display_name_key' | 'search_key'>;

/** The names of a group as they are stored. @param name the free one that was taken for it */
export const namesOf = (displayName: string, name: string): GroupNames => ({
  name,
  display_name: displayName,
  display_name_key: comparisonKey(displayName),
  search_key: searchKey(displayName, name),
});

/**
 * Names that a group can get, in their order: `name`, `name-2`, `name-3`, …
 * @param first counts from 1
 */
export const candidatesOf = (name: string, first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => (first + at === 1 ? name : `${name}-${first + at}`));

/** The name without its numbers at the end. Names with the same candidate have the same root. */
export const nameRoot = (name: string): string => name.replace(/(?:-\d+)+$/, '');

/** What a patch changes of a group, and the names of the fields that really differ. */
export const patched = (
  group: StoredGroup,
  { names, description }: { names?: GroupNames | undefined; description?: string | undefined },
): { group: StoredGroup; changed: string[] } => {
  const next: StoredGroup = { ...group, ...names, ...(description !== undefined && { description }) };
  const changed = (['display_name', 'name', 'description'] as const).filter((field) => next[field] !== group[field]);
  return { group: next, changed };
};

/** @throws HttpError conflict for a group that belongs to another directory */
export const requireLocal = ({ source }: Pick<StoredGroup, 'source'>): void => {
  if (source === 'local') return;
  throw new HttpError('conflict', `this group is owned by a directory (source ${source}); change it there`);
};

/**
 * @throws HttpError conflict for a subgroup that would make a group contain itself or the nesting
 * too deep
 */
export const requireSoundNesting = ({ cycle, depth }: { cycle: boolean; depth: number }): void => {
  if (cycle) throw new HttpError('conflict', 'a group cannot contain itself, directly or through its subgroups');
  if (depth > MAX_GROUP_DEPTH) {
    throw new HttpError('conflict', `groups can be nested ${MAX_GROUP_DEPTH} deep; this would make it ${depth}`);
  }
};
