/**
 * The columns of `groups g`, named: prepared statements must not change when the table gets another
 * one.
 */
export const GROUP_COLUMNS =
  'g.id, g.name, g.display_name, g.display_name_key, g.description, g.source, g.issuer, g.external_id, g.search_key, g.version, g.created_at, g.updated_at';

/**
 * The ids (`user_id`) of all people in a group, directly or through its subgroups, each once.
 * Postgres cannot know how many groups a recursion finds, and reads every membership there is when
 * it takes them for many; OFFSET 0 has it look up each group's own.
 * @param group SQL of the group's id
 */
export function peopleIn(group: string): string {
  return `
  WITH RECURSIVE inside AS (
    SELECT ${group} AS id
    UNION SELECT s.child_id FROM inside JOIN group_subgroups s ON s.parent_id = inside.id)
  SELECT DISTINCT m.user_id
  FROM inside CROSS JOIN LATERAL (SELECT user_id FROM group_users WHERE group_id = inside.id OFFSET 0) AS m`;
}

/**
 * How many people `groups g` holds, directly or through its subgroups, each counted once. Counted
 * inside the statement that reads the group, so group and count are of one moment. A group without
 * subgroups, the usual case, is counted from the index alone.
 */
export const MEMBER_COUNT = `
  CASE WHEN EXISTS (SELECT 1 FROM group_subgroups s WHERE s.parent_id = g.id)
  THEN (SELECT count(*) FROM (${peopleIn('g.id')}) AS people)
  ELSE (SELECT count(*) FROM group_users m WHERE m.group_id = g.id) END`;

/**
 * The ids of all groups that hold a person, directly or through subgroups.
 * @param user SQL of the person's id
 */
export const groupsHolding = (user: string): string => `
  WITH RECURSIVE holding AS (
    SELECT group_id AS id FROM group_users WHERE user_id = ${user}
    UNION SELECT s.parent_id FROM holding JOIN group_subgroups s ON s.child_id = holding.id)
  SELECT id FROM holding`;
