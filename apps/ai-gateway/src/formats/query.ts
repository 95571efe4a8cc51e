/** Appends a query to a path, if it has parameters. */
export const appendQuery = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query.toString()}`;
