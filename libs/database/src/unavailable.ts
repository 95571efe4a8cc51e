/**
 * SQLSTATEs of temporary failures: too many connections, a statement timeout, a shutdown or crash,
 * a server that starts, an idle timeout, a serialization failure, a deadlock, a lock timeout.
 */
const TEMPORARY_STATES = new Set(['53300', '57014', '57P01', '57P02', '57P03', '25P03', '40001', '40P01', '55P03']);
/** Error codes of the system for failed or broken connections. */
const NETWORK_CODES = new Set([
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
 * Messages of driver errors that have no code. TypeORM writes the last one for a connection that
 * broke before its transaction began.
 */
const DRIVER_MESSAGES =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Query runner already released)/;

/**
 * Whether a query failed because the database cannot be reached or cannot answer now. The same
 * request can succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (error === null || typeof error !== 'object') return false;
  const { code, errors, message, routine } = error as Record<'code' | 'errors' | 'message' | 'routine', unknown>;
  // A connection attempt to several addresses of a host fails with an AggregateError.
  if (Array.isArray(errors)) return errors.some(isUnavailable);
  if (typeof code !== 'string') return typeof message === 'string' && DRIVER_MESSAGES.test(message);
  // 55000 is temporary only for a database that is closed to connections for maintenance. The
  // routine identifies this case, because the server may translate its messages.
  if (code === '55000') return routine === 'CheckMyDatabase';
  return code.startsWith('08') || TEMPORARY_STATES.has(code) || NETWORK_CODES.has(code);
}
