import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { flagError, WorkloadError } from '../errors/workload-error.ts';

/** The flags of the environment as typed. */
export interface EnvironmentFlags {
  readonly env?: readonly string[] | undefined;
  readonly envFile?: string | undefined;
  readonly envFileDir?: string | undefined;
}

/** Environment variables, and warnings about ignored lines. */
export interface Environment {
  readonly variables: Record<string, string>;
  readonly warnings: readonly string[];
}

/** Maximum size of `KEY=VALUE` on Linux: 128 KiB with the terminating byte. */
const MAX_VARIABLE_BYTES = 128 * 1024 - 1;
/** Maximum total size. The image adds variables of its own. */
const MAX_ENVIRONMENT_BYTES = 1024 * 1024;
/** Maximum size of an environment file. */
const MAX_FILE_BYTES = 2 * MAX_ENVIRONMENT_BYTES;

/** Creates an environment without prototype, so that any name is valid, `__proto__` too. */
const createEnvironment = (): Record<string, string> => Object.create(null) as Record<string, string>;

/**
 * Merges environments; later ones win.
 * @throws WorkloadError (usage) when the result exceeds a limit of the system.
 */
export function mergeEnvironments(
  ...parts: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const merged = Object.assign(createEnvironment(), ...parts) as Record<string, string>;
  let total = 0;
  for (const [key, value] of Object.entries(merged)) {
    const bytes = Buffer.byteLength(key) + 1 + Buffer.byteLength(value);
    if (bytes > MAX_VARIABLE_BYTES) {
      throw flagError(`--env ${key.slice(0, 100)}`, 'is longer than 128 KiB, the maximum size of one variable');
    }
    total += bytes;
  }
  if (total > MAX_ENVIRONMENT_BYTES) {
    throw flagError(
      '--env, --env-file and --env-file-dir',
      'contain more than 1 MiB of variables, the maximum size of all variables',
    );
  }
  return merged;
}

function findKeyProblem(key: string): string | undefined {
  if (key === '') return 'has no name before the =';
  if (/[\s\p{Cc}]/u.test(key)) return 'has a blank or control character in its name';
  return undefined;
}

/**
 * Parses `-e KEY=VALUE`. The first `=` separates name and value, the value may be empty, the last
 * of several equal names wins, and nothing is interpolated.
 * @throws WorkloadError (usage) that names the variable.
 */
export function parseEnvironment(values: readonly string[]): Record<string, string> {
  const variables = createEnvironment();
  for (const text of values) {
    const at = text.indexOf('=');
    if (at === -1) throw flagError(`--env ${text}`, 'is not in the form KEY=VALUE');
    const key = text.slice(0, at);
    // The message omits the value, which can be a secret.
    const problem = findKeyProblem(key) ?? (text.includes('\0') ? 'contains a NUL character' : undefined);
    if (problem !== undefined) throw flagError(`--env ${key === '' ? '=…' : key}`, problem);
    variables[key] = text.slice(at + 1);
  }
  return variables;
}

/**
 * Parses an environment file. Skips blank lines and `#` lines, removes `export `, splits at the
 * first `=`. Quotes stay in the value and nothing is interpolated.
 * @param path for messages only
 * @throws WorkloadError (usage) for a line with an invalid name.
 */
export function parseEnvironmentFile(content: string, path: string, flag = '--env-file'): Environment {
  const variables = createEnvironment();
  const warnings: string[] = [];
  for (const [index, raw] of content
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const line = raw.trim().replace(/^export\s+/, '');
    if (line === '' || line.startsWith('#')) continue;
    const at = line.indexOf('=');
    if (at === -1) {
      warnings.push(`${path}, line ${index + 1}: no '=', the line is skipped`);
      continue;
    }
    const key = line.slice(0, at).trim();
    const problem = findKeyProblem(key) ?? (line.includes('\0') ? 'contains a NUL character' : undefined);
    if (problem !== undefined) throw flagError(`${flag} ${path}`, `line ${index + 1} ${problem}`);
    variables[key] = line.slice(at + 1);
  }
  return { variables, warnings };
}

/** Reads `--env-file`. @throws WorkloadError (usage) when it cannot be read. */
function readEnvironmentFile(path: string): Environment {
  let content: string;
  try {
    content = readSmallText(path, MAX_FILE_BYTES);
  } catch (error) {
    throw flagError(`--env-file ${path}`, `cannot be read: ${describeFileProblem(error)}`);
  }
  return parseEnvironmentFile(content, path);
}

/**
 * Reads every file of `--env-file-dir` in the order of their names; later files win. Skips dot
 * files and folders, and unreadable files with a warning.
 * @throws WorkloadError (usage) for a missing folder or a line with an invalid name.
 */
function readEnvironmentFolder(path: string): Environment {
  let names: string[];
  try {
    names = readdirSync(path).sort();
  } catch (error) {
    throw flagError(`--env-file-dir ${path}`, `cannot be read: ${describeFileProblem(error)}`);
  }
  const variables = createEnvironment();
  const warnings: string[] = [];
  for (const name of names) {
    const file = join(path, name);
    if (name.startsWith('.')) continue;
    try {
      if (!statSync(file).isFile()) continue;
      const read = parseEnvironmentFile(readSmallText(file, MAX_FILE_BYTES), file, '--env-file-dir');
      Object.assign(variables, read.variables);
      warnings.push(...read.warnings);
    } catch (error) {
      if (error instanceof WorkloadError) throw error;
      warnings.push(`${file} is skipped: ${describeFileProblem(error)}`);
    }
  }
  return { variables, warnings };
}

/**
 * Merges the variables of `--env-file-dir`, `--env-file` and `--env`; the later one wins.
 * @throws WorkloadError (usage)
 */
export function readEnvironment(flags: EnvironmentFlags): Environment {
  const folder = flags.envFileDir === undefined ? undefined : readEnvironmentFolder(flags.envFileDir);
  const file = flags.envFile === undefined ? undefined : readEnvironmentFile(flags.envFile);
  const variables = mergeEnvironments(folder?.variables, file?.variables, parseEnvironment(flags.env ?? []));
  return { variables, warnings: [...(folder?.warnings ?? []), ...(file?.warnings ?? [])] };
}
