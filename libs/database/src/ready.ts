import type { DataSource } from 'typeorm';

/**
 * A readiness check: the database answers `SELECT 1` in time.
 * @throws {Error} with the reason in one sentence
 */
export async function pingDatabase(dataSource: DataSource, timeoutMs = 2000): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not answer within ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    await Promise.race([dataSource.query('SELECT 1'), late]);
  } finally {
    clearTimeout(timer);
  }
}
