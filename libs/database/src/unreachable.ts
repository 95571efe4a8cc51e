import { StartError } from '@gatehouse/service-kit/start-error';
import pg from 'pg';

const TIMEOUT_MS = 5000;

/** Why no connection is made with a URL, without its password; undefined when one is. */
async function reasonAgainst(url: string): Promise<string | undefined> {
  const client = clientOf(url);
  if (client === undefined) return 'is not a URL of the form postgres://user:password@host:port/database';
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const reason = message === '' ? (code ?? 'no reason given') : message.split('\n', 1)[0];
    return `no connection to database "${client.database ?? ''}" at ${client.host}:${client.port} (${reason})`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function clientOf(url: string): pg.Client | undefined {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  } catch {
    return undefined;
  }
}

/**
 * The variable whose URL leads to no database, as an error of one line; undefined when all of them
 * do.
 * @param urls by the name of the variable
 * @param cause the error that a start ended with
 */
export async function unreachableDatabase(
  urls: Readonly<Record<string, string | undefined>>,
  cause: unknown,
): Promise<StartError | undefined> {
  for (const [name, url] of Object.entries(urls)) {
    const reason = url === undefined ? undefined : await reasonAgainst(url);
    if (reason !== undefined)
      return new StartError(`${name}: ${reason}. Start the database, or correct ${name}.`, { cause });
  }
  return undefined;
}
