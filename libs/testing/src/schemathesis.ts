import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './cache.ts';
import { effort, seed } from './effort.ts';
import type { Fixture } from './fixture.ts';
import { pythonWith } from './python-environment.ts';

/** The time limit of a suite at the greatest effort, in milliseconds. */
export const SCHEMATHESIS_TIMEOUT_MS = 900_000;

/** The parts of an OpenAPI operation that select its token. */
interface Operation {
  'x-roles'?: readonly string[];
}

/** A running service for schemathesis to test. */
export interface FuzzedService {
  /** For example `enterprise-manager`. */
  name: string;
  baseUrl: string;
  /**
   * The token for an operation. The operations of one token are called together. Operations without
   * one are not called.
   */
  tokenFor: (path: string, roles: readonly string[]) => string | undefined;
}

/** The number of examples. It grows with the effort of the run, up to the maximum. */
const EXAMPLES_PER_OPERATION = 1;
const MAX_EXAMPLES_PER_OPERATION = 10;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];

/** Python with schemathesis. */
export const schemathesisPython = (): Promise<Fixture<string>> =>
  pythonWith('schemathesis', join(import.meta.dirname, 'schemathesis', 'requirements.txt'));

/**
 * Calls every operation of a service with values that schemathesis generates from its committed
 * document, and compares the responses with the document.
 * @param python from `schemathesisPython`
 * @returns the reports of the failed runs
 */
export async function findContractFaults(python: string, service: FuzzedService): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  try {
    const file = join(repositoryRoot, 'libs/contracts', service.name, 'openapi.json');
    const document = JSON.parse(await readFile(file, 'utf8')) as { paths: Record<string, Record<string, Operation>> };
    const faults: string[] = [];
    for (const [token, paths] of pathsByToken(document.paths, service)) {
      const part = join(folder, 'openapi.json');
      await writeFile(part, JSON.stringify({ ...document, paths }));
      const { isFine, output } = await run(python, folder, [part, '--url', service.baseUrl, ...createFlags(token)]);
      if (!isFine) faults.push(output);
    }
    return faults;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pathsByToken(
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  { tokenFor }: FuzzedService,
): Map<string, Record<string, Record<string, Operation>>> {
  const parts = new Map<string, Record<string, Record<string, Operation>>>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const token = tokenFor(path, operation['x-roles'] ?? []);
      if (token === undefined) continue;
      const part = parts.get(token) ?? {};
      parts.set(token, part);
      (part[path] ??= {})[method] = operation;
    }
  }
  return parts;
}

const createFlags = (token: string): string[] => [
  ...['--header', `Authorization: Bearer ${token}`],
  ...['--checks', CHECKS.join(',')],
  ...['--phases', 'examples,fuzzing'],
  ...['--max-examples', String(Math.min(EXAMPLES_PER_OPERATION * effort, MAX_EXAMPLES_PER_OPERATION))],
  ...['--seed', String(seed)],
  ...['--suppress-health-check', 'all'],
  ...['--generation-database', 'none'],
  ...['--request-timeout', '60'],
  ...['--warnings', 'off'],
  ...['--no-shrink', '--no-color', '--continue-on-failure'],
];

/** schemathesis exits with 1 when a check fails, and with another code when it cannot run. */
const run = (python: string, cwd: string, args: readonly string[]): Promise<{ isFine: boolean; output: string }> =>
  new Promise((resolve) => {
    const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
    execFile(python, ['-m', 'schemathesis.cli', 'run', ...args], options, (error, stdout, stderr) => {
      resolve({ isFine: error === null, output: `${stdout}${stderr}` });
    });
  });
