import { ModelCallError } from '../model-call-error.ts';

/** Reads the size of a page from a query. @throws ModelCallError `invalid_request` */
export function readPageSize(
  query: URLSearchParams,
  name: string,
  limits: { readonly default: number; readonly min: number; readonly max: number },
): number {
  const text = query.get(name);
  if (text === null || text === '') return limits.default;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (size >= limits.min && size <= limits.max) return size;
  const range = limits.max === Infinity ? `from ${limits.min}` : `from ${limits.min} to ${limits.max}`;
  throw new ModelCallError('invalid_request', `'${name}' must be a whole number ${range}.`, { field: name });
}
