import { StartError } from '@gatehouse/service-kit/start-error';
import pg from 'pg';

const TIMEOUT_MS = 5000;

/** Describes why a URL leads to no connection, without its password; undefined if it connects. */
async function describeFailure(url: string): Promise<string | undefined> {
  const client = createClient(url);
  if (client === undefined) return 'is not a URL of the form postgres://user:password@host:port/database';
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const reason = message === '' ? (code ?? 'unknown reason') : message.split('\n', 1)[0];
    return `no connection to database "${client.database ?? ''}" at ${client.host}:${client.port} (${reason})`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function createClient(url: string): pg.Client | undefined {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  } catch {
    return undefined;
  }
}

/**
 * Finds the first variable whose URL leads to no database, and describes it as an error of one
 * line; undefined if all of them connect.
 * @param urls by the name of the variable
 * @param cause the error that ended the start
 */
export async function findUnreachableDatabase(
  urls: Readonly<Record<string, string | undefined>>,
  cause: unknown,
): Promise<StartError | undefined> {
  for (const [name, url] of Object.entries(urls)) {
    const reason = url === undefined ? undefined : await describeFailure(url);
    if (reason !== undefined)
      return new StartError(`${name}: ${reason}. Start the database, or correct ${name}.`, { cause });
  }
  return undefined;
}
