import { SignedConfigError } from '@gatehouse/signed-config/errors';
import { parseStrictJson } from '@gatehouse/signed-config/strict-json';
import { ToolCallVerifier, type Verification } from '@gatehouse/signed-config/tool-call-verifier';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type CliError, CommandFailedError } from '../errors/cli-error.ts';

/** The largest page, in bytes. The manager's pages are smaller. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** The input of a verification of exports. */
export interface VerifyRequest {
  /**
   * Files in the order of their export. Each has one page per line, or is one JSON page in any
   * layout.
   */
  readonly files: readonly string[];
  /** File with the key set of the manager. */
  readonly keys: string;
  readonly filtered: boolean;
  readonly continued: boolean;
  /** The sequence number that an export without a signed head must reach. */
  readonly through?: number | undefined;
  readonly allowEmpty: boolean;
}

/**
 * Verifies exports of tool calls on this machine, without a network call.
 * @throws CliError when a file cannot be read
 */
export async function verifyExports({ files, keys, through, ...how }: VerifyRequest): Promise<Verification> {
  const jwks = parseJson(await readText(keys), keys);
  if (jwks instanceof SignedConfigError) throw new CommandFailedError(`The key set: ${jwks.message}`);
  const verifier = new ToolCallVerifier({ jwks, ...how, ...(through !== undefined && { through }) });
  for (const file of files) {
    for await (const [page, where] of readPages(file)) {
      const good = await verifier.take(page instanceof SignedConfigError ? undefined : page, where);
      if (!good) return verifier.result();
    }
  }
  return verifier.result();
}

/** The pages of a file, each with its position. */
async function* readPages(file: string): AsyncGenerator<[page: unknown, where: string]> {
  // A single page may be formatted over many lines.
  const [first] = await firstLines(file);
  if (first !== undefined && !isCompleteJson(first)) {
    yield [parseJson(await readText(file), file), file];
    return;
  }
  let number = 0;
  for await (const line of readLines(file)) {
    number += 1;
    if (line !== '') yield [parseJson(line, `line ${number}`), `${file}:${number}`];
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

async function firstLines(file: string): Promise<string[]> {
  for await (const line of readLines(file)) return [line];
  return [];
}

function isCompleteJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Parses JSON that has only one reading. */
function parseJson(json: string, what: string): unknown {
  try {
    return parseStrictJson(json, what, MAX_PAGE_BYTES);
  } catch (error) {
    if (error instanceof SignedConfigError) return error;
    throw error;
  }
}

const unreadable = (file: string, cause: unknown): CliError =>
  new CommandFailedError(`${file} cannot be read: ${(cause as Error).message}`);
