import type { DataSource } from 'typeorm';

/**
 * Checks that the database answers `SELECT 1` in time. Used by the readiness check.
 * @throws {Error} with the reason in one sentence
 */
export async function pingDatabase(dataSource: DataSource, timeoutMs = 2000): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not answer within ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    const query = dataSource.query('SELECT 1');
    // A failure after the timeout must not become an unhandled rejection.
    query.catch(() => undefined);
    await Promise.race([query, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
