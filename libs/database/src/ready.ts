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
    const answer = dataSource.query('SELECT 1');
    // When it is late its failure comes after the end of this check, where nobody would catch it.
    answer.catch(() => undefined);
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
