import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readResponse, toCliError, type Manager, type Schemas } from './manager.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { CliError, CommandFailedError } from '../../errors/cli-error.ts';

/** Filters of usage figures. Times are RFC 3339. */
export interface UsageFilter {
  readonly gateway_id: string;
  readonly environment?: string;
  readonly start?: string;
  readonly end?: string;
}

/** Filters of the calls of a connector. */
export interface ActivityFilter extends Omit<UsageFilter, 'environment'> {
  readonly user_id?: string;
  readonly outcome?: 'ok' | 'error';
  readonly decision?: 'allowed' | 'denied';
}

/** The path of the key set beside an export, which verifies its signatures. */
export const keysBeside = (file: string): string => `${file}.keys.json`;

/** Lists the calls of a connector, newest first. */
export const listActivity = (
  manager: Manager,
  id: string,
  filter: ActivityFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['ToolCall']>> =>
  collect(wanted, async (page) => {
    const call = manager.api.GET('/v1/metering/usage/connectors/{id}/calls', {
      params: { path: { id }, query: { ...filter, ...page } },
    });
    const { records, next_cursor: next } = await readResponse(manager, call, { fields: { records: 'list' } });
    return { items: records, ...(next !== undefined && { next_cursor: next }) };
  });

export const usageSummary = (manager: Manager, query: UsageFilter): Promise<Schemas['UsageSummary']> =>
  readResponse(manager, manager.api.GET('/v1/metering/usage/summary', { params: { query } }));

export const topConnectors = (
  manager: Manager,
  query: UsageFilter & { limit: number },
): Promise<Schemas['TopConnectors']> =>
  readResponse(manager, manager.api.GET('/v1/metering/usage/top-connectors', { params: { query } }), {
    fields: { connectors: 'list' },
  });

export const topTools = (manager: Manager, query: UsageFilter & { limit: number }): Promise<Schemas['TopTools']> =>
  readResponse(manager, manager.api.GET('/v1/metering/usage/top-tools', { params: { query } }), {
    fields: { tools: 'list' },
  });

export const timeSeries = (
  manager: Manager,
  query: UsageFilter & {
    dimension?: 'environment' | 'tool' | 'decision' | 'connector';
    bucket_width_seconds?: 3600 | 86400 | 604800 | 2592000;
  },
): Promise<Schemas['UsageTimeSeries']> =>
  readResponse(manager, manager.api.GET('/v1/metering/usage/timeseries', { params: { query } }), {
    fields: { buckets: 'list' },
  });

export const connectorUsage = (manager: Manager, id: string, query: UsageFilter): Promise<Schemas['ConnectorUsage']> =>
  readResponse(manager, manager.api.GET('/v1/metering/usage/connectors/{id}', { params: { path: { id }, query } }), {
    fields: { group_series: 'list' },
  });

export const userUsage = (
  manager: Manager,
  id: string,
  query: UsageFilter & { start: string; end: string },
): Promise<Schemas['UserUsage']> =>
  readResponse(manager, manager.api.GET('/v1/metering/usage/users/{id}', { params: { path: { id }, query } }), {
    fields: { connectors: 'list' },
  });

/** The size of an export, and the cursor of the next one. */
export interface ExportSummary {
  readonly records: number;
  readonly resume_cursor: string;
}

/**
 * Exports records to stdout or a file, one page per line, as the manager returned them. The file
 * and the key set beside it appear when the export is complete.
 * @param cursor the end of an earlier export
 * @throws CliError when the manager fails or the file cannot be written
 */
export async function exportUsage(
  manager: Manager,
  filter: UsageFilter & { cursor?: string },
  file: string | undefined,
  signal: AbortSignal,
): Promise<ExportSummary> {
  const done = { records: 0, resume_cursor: filter.cursor ?? '' };
  async function* lines(): AsyncGenerator<string> {
    for (let cursor = filter.cursor; ;) {
      signal.throwIfAborted();
      const query = new URLSearchParams({ limit: '500', ...filter, ...(cursor !== undefined && { cursor }) });
      const page = (await fetchJson(
        manager,
        `/v1/metering/usage/export?${query.toString()}`,
      )) as Schemas['UsageExport'];
      if (!Array.isArray(page.records) || typeof page.resume_cursor !== 'string')
        throw new CommandFailedError(`${manager.url} does not support exports: it may be an older version`);
      // The newest page is written also when it has no records: its signed head proves that the
      // export is complete.
      if (page.records.length > 0 || page.next_cursor === undefined) yield `${JSON.stringify(page)}\n`;
      done.records += page.records.length;
      done.resume_cursor = page.resume_cursor;
      cursor = page.next_cursor;
      if (cursor === undefined) return;
    }
  }
  if (file === undefined) {
    for await (const line of lines()) process.stdout.write(line);
    return done;
  }
  const unfinished = `${file}.${process.pid}.part`;
  try {
    const keys = await fetchJson(manager, '/.well-known/jwks.json');
    await pipeline(Readable.from(lines()), createWriteStream(unfinished, { flags: 'wx' }), { signal });
    await writeFile(keysBeside(file), `${JSON.stringify(keys, null, 2)}\n`);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (error instanceof CliError) throw error;
    throw new CommandFailedError(`The export could not be written to ${file}: ${(error as Error).message}`);
  }
  return done;
}

async function fetchJson(manager: Manager, path: string): Promise<unknown> {
  const response = await manager.get(path, { accept: 'application/json' });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || body === undefined) throw toCliError(manager, response, body);
  return body;
}
