/**
 * Formats the SQL comment that begins each statement of a background task. It shows the task in
 * `pg_stat_activity`, and the crash tests recognize the statements by it.
 * @param task the name of the task, in lower case
 */
export const formatBackgroundComment = (task: string): string => `/* ${task}, by itself */`;
