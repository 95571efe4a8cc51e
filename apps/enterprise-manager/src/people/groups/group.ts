import { HttpError } from '@gatehouse/service-kit/http-error';
import { toComparisonKey, buildSearchKey } from '../../validation/names.ts';
import type { Stored } from '@gatehouse/database/stored';
import type { GroupRow } from './group.entity.ts';

/** A stored group. */
export type StoredGroup = Stored<GroupRow>;

/** Maximum number of groups on a path from a top group to a bottom group. */
export const MAX_GROUP_DEPTH = 32;

/** Maximum number of direct members in the response for one group; the others are paged. */
export const MAX_SHOWN_MEMBERS = 1_000;

/** The columns of a group that hold its names. */
type GroupNames = Pick<StoredGroup, 'name' | 'display_name' | 'display_name_key' | 'search_key'>;

/** The stored names of a group. @param name the unused name that was reserved for it */
export const deriveNames = (displayName: string, name: string): GroupNames => ({
  name,
  display_name: displayName,
  display_name_key: toComparisonKey(displayName),
  search_key: buildSearchKey(displayName, name),
});

/**
 * Lists candidate names in order: `name`, `name-2`, `name-3`, …
 * @param first number of the first candidate, from 1
 */
export const listCandidates = (name: string, first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => (first + at === 1 ? name : `${name}-${first + at}`));

/** The name without numbers at its end. Names that share a candidate share the root. */
export const getNameRoot = (name: string): string => name.replace(/(?:-\d+)+$/, '');

/** Applies a patch to a group. @returns the new group and the names of the changed fields */
export const applyPatch = (
  group: StoredGroup,
  { names, description }: { names?: GroupNames | undefined; description?: string | undefined },
): { group: StoredGroup; changed: string[] } => {
  const next: StoredGroup = { ...group, ...names, ...(description !== undefined && { description }) };
  const changed = (['display_name', 'name', 'description'] as const).filter((field) => next[field] !== group[field]);
  return { group: next, changed };
};

/** @throws HttpError conflict for a group that a directory provisions */
export const requireLocal = ({ source }: Pick<StoredGroup, 'source'>): void => {
  if (source === 'local') return;
  throw new HttpError('conflict', `this group is owned by a directory (source ${source}); change it there`);
};

/** @throws HttpError conflict for a subgroup that would create a cycle or nest too deep */
export const requireValidNesting = ({ cycle, depth }: { cycle: boolean; depth: number }): void => {
  if (cycle) throw new HttpError('conflict', 'a group cannot contain itself, directly or through its subgroups');
  if (depth > MAX_GROUP_DEPTH) {
    throw new HttpError('conflict', `groups can be nested ${MAX_GROUP_DEPTH} deep; this would make it ${depth}`);
  }
};
