/**
 * Begins a statement that a replica makes for a task of its own, and not for a request. The task
 * can then be seen in `pg_stat_activity`.
 * @param task in lower case, as the comment names it
 */
export const byItself = (task: string): string => `/* ${task}, by itself */`;
