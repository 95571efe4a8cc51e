/**
 * SQL of a column that is compared only after a row was found by its id. While a table is not
 * analyzed, Postgres believes that an issuer has hardly any rows: it would read all of them by the
 * index of issuers, and keep to that plan for as long as the table grows.
 */
export const unindexed = (column: string): string => `(${column} || '')`;
