/** The columns of `groups g`. They are named, because a new column breaks a prepared `SELECT *`. */
export const GROUP_COLUMNS =
  'g.id, g.name, g.display_name, g.display_name_key, g.description, g.source, g.issuer, g.external_id, g.search_key, g.version, g.created_at, g.updated_at';

/**
 * SQL of the ids (`user_id`) of all direct and indirect members of a group, each once. Postgres
 * cannot estimate the number of groups of a recursion: it would read all memberships when it
 * expects many groups. OFFSET 0 makes it look up the members of each group by index.
 * @param group SQL of the group's id
 */
export function selectUsersInGroup(group: string): string {
  return `
  WITH RECURSIVE inside AS (
    SELECT ${group} AS id
    UNION SELECT s.child_id FROM inside JOIN group_subgroups s ON s.parent_id = inside.id)
  SELECT DISTINCT m.user_id
  FROM inside CROSS JOIN LATERAL (SELECT user_id FROM group_users WHERE group_id = inside.id OFFSET 0) AS m`;
}

/**
 * SQL of the number of direct and indirect members of `groups g`, each counted once. It is part of
 * the statement that reads the group, so that both come from one snapshot. For a group without
 * subgroups, the index alone gives the number.
 */
export const MEMBER_COUNT = `
  CASE WHEN EXISTS (SELECT 1 FROM group_subgroups s WHERE s.parent_id = g.id)
  THEN (SELECT count(*) FROM (${selectUsersInGroup('g.id')}) AS members)
  ELSE (SELECT count(*) FROM group_users m WHERE m.group_id = g.id) END`;

/**
 * SQL of the ids of all groups that contain a user, directly or through subgroups.
 * @param user SQL of the user's id
 */
export const selectGroupsOfUser = (user: string): string => `
  WITH RECURSIVE holding AS (
    SELECT group_id AS id FROM group_users WHERE user_id = ${user}
    UNION SELECT s.parent_id FROM holding JOIN group_subgroups s ON s.child_id = holding.id)
  SELECT id FROM holding`;
