import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printableLines } from '../../terminal/output.ts';
import { toCliError, type Manager } from './manager.ts';
import { UsageError, CommandFailedError } from '../../errors/cli-error.ts';

/** A request for a streamed response: the path with its query, and the media type for Accept. */
export interface StreamedResponse {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly type: string;
}

/** Requests a response of any length. @returns its body. @throws CliError for a failure */
async function requestBody(
  manager: Manager,
  { path, query, type }: StreamedResponse,
  signal: AbortSignal,
): Promise<Readable> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  const response = await manager.stream(`${path}${search === '' ? '' : `?${search}`}`, { accept: type }, signal);
  if (!response.ok) throw toCliError(manager, response, await readJson(response));
  if (response.body === null) return Readable.from([]);
  if (!response.headers.get('content-type')?.startsWith(type))
    throw new CommandFailedError(`${manager.url} does not support ${type}: it may be an older version`);
  return Readable.fromWeb(response.body);
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/**
 * Writes a response to stdout or to a file while it arrives. The file appears when the response is
 * complete.
 * @param file undefined for stdout
 * @throws CliError when the response ends early or the file cannot be written
 */
export async function writeStreamedResponse(
  manager: Manager,
  wanted: StreamedResponse,
  file: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const body = await requestBody(manager, wanted, signal);
  if (file === undefined) {
    await withResponseErrors(signal, () =>
      process.stdout.isTTY ? pipeline(body, escapeForTerminal(), stdout()) : pipeline(body, stdout()),
    );
    return;
  }
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await withResponseErrors(signal, () => pipeline(body, createWriteStream(unfinished, { flags: 'wx' })));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * The objects of an NDJSON response, one after the other.
 * @throws CliError when the response ends early
 */
export async function* streamObjects<T>(
  manager: Manager,
  wanted: StreamedResponse,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const body = await requestBody(manager, wanted, signal);
  body.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of body) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as T;
    }
  } catch (cause) {
    throw toResponseError(signal, cause);
  }
  if (rest !== '') throw toResponseError(signal, new Error('the last line is incomplete'));
}

async function withResponseErrors(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw toResponseError(signal, cause);
  }
}

function toResponseError(signal: AbortSignal, cause: unknown): unknown {
  if (signal.aborted) return signal.reason;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code !== undefined && /^E[A-Z]+$/.test(code) && 'path' in (cause as object))
    return new UsageError(`The file cannot be written: ${message}`, [], cause);
  return new CommandFailedError('The response ended too early', ['try again, or request a smaller range'], cause);
}

/** stdout as the end of a pipeline, which stays open. */
const stdout = (): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (process.stdout.write(chunk)) done();
      else process.stdout.once('drain', () => done());
    },
  });

/** Escapes control characters for a terminal, so that the data cannot move the cursor. */
function escapeForTerminal(): Transform {
  const decoder = new TextDecoder();
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(null, printableLines(decoder.decode(chunk, { stream: true }).replaceAll('\r\n', '\n'))),
  });
}
