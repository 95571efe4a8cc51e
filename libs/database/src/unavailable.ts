/**
 * SQLSTATEs by which Postgres says "not now": out of connections, ended by an administrator or a
 * crash, starting, too slow, ended for what others did.
 */
const NOT_NOW = new Set(['53300', '57014', '57P01', '57P02', '57P03', '25P03', '40001', '40P01', '55P03']);
/** What a dial or a connection that breaks is called by the system. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/**
 * The driver gives no code to these. The last is TypeORM's word for a connection that broke before
 * its transaction began.
 */
const DRIVER =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Query runner already released)/;

/**
 * Whether a query failed because the database cannot be reached or cannot answer now, and not
 * because of the query: the same request may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (error === null || typeof error !== 'object') return false;
  const { code, errors, message, routine } = error as Record<'code' | 'errors' | 'message' | 'routine', unknown>;
  // A dial to several addresses of one host fails with all of its failures.
  if (Array.isArray(errors)) return errors.some(isUnavailable);
  if (typeof code !== 'string') return typeof message === 'string' && DRIVER.test(message);
  // A database that is closed to connections, for maintenance; the same code of a statement is our
  // mistake, and messages may be translated.
  if (code === '55000') return routine === 'CheckMyDatabase';
  return code.startsWith('08') || NOT_NOW.has(code) || NETWORK.has(code);
}
