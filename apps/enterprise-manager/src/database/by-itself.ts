/**
 * A comment for the begin of statements of background tasks. It shows the task in
 * `pg_stat_activity`.
 * @param task the name of the task, in lower case
 */
export const byItself = (task: string): string => `/* ${task}, by itself */`;
