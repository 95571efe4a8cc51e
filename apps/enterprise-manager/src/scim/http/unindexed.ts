/**
 * SQL of a column that Postgres must not use an index for. Rows are found by id and compared then.
 * Without statistics, Postgres expects few rows of an issuer: it would use the index on issuers,
 * and keep that plan while the table grows.
 */
export const disableIndex = (column: string): string => `(${column} || '')`;
