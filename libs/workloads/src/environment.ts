import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSmallText } from './text-file.ts';
import { badFlag, messageOf, WorkloadFailure } from './failure.ts';

/** Environment variables, and what was passed over while reading them. */
export interface Environment {
  readonly variables: Record<string, string>;
  readonly warnings: readonly string[];
}

/** The longest `KEY=VALUE` that Linux hands to a program: 128 KiB with the byte that ends it. */
const LONGEST_VARIABLE = 128 * 1024 - 1;
/**
 * More than this in all cannot be handed to a program either; the image has variables of its own.
 */
const LARGEST_ENVIRONMENT = 1024 * 1024;
/** The largest environment file: what is larger cannot be handed over. */
const LARGEST_FILE = 2 * LARGEST_ENVIRONMENT;

/** An environment whose names may be anything, `__proto__` too. */
const empty = (): Record<string, string> => Object.create(null) as Record<string, string>;

/**
 * Puts environments together, later ones over earlier ones.
 * @throws WorkloadFailure (usage) when the system could not hand the result to a program.
 */
export function mergeEnvironments(
  ...parts: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const merged = Object.assign(empty(), ...parts) as Record<string, string>;
  let total = 0;
  for (const [key, value] of Object.entries(merged)) {
    const bytes = Buffer.byteLength(key) + 1 + Buffer.byteLength(value);
    if (bytes > LONGEST_VARIABLE) {
      throw badFlag(
        `--env ${key.slice(0, 100)}`,
        'is longer than the 128 KiB that a program can be given in one variable',
      );
    }
    total += bytes;
  }
  if (total > LARGEST_ENVIRONMENT) {
    throw badFlag(
      '--env, --env-file and --env-file-dir',
      'hold more than the 1 MiB of variables that a program can be given',
    );
  }
  return merged;
}

function badKey(key: string): string | undefined {
  if (key === '') return 'has no name before the =';
  if (/[\s\p{Cc}]/u.test(key)) return 'has a blank or control character in its name';
  return undefined;
}

/**
 * Reads `-e KEY=VALUE`: split at the first `=`, an empty value is fine, the last of several equal
 * names wins, nothing is interpolated.
 * @throws WorkloadFailure (usage) that names the variable.
 */
export function parseEnvironment(values: readonly string[]): Record<string, string> {
  const variables = empty();
  for (const text of values) {
    const at = text.indexOf('=');
    if (at === -1) throw badFlag(`--env ${text}`, 'is not in the form KEY=VALUE');
    const key = text.slice(0, at);
    // The value may be a secret: only the name is shown.
    const problem = badKey(key) ?? (text.includes('\0') ? 'holds a NUL character' : undefined);
    if (problem !== undefined) throw badFlag(`--env ${key === '' ? '=…' : key}`, problem);
    variables[key] = text.slice(at + 1);
  }
  return variables;
}

/**
 * Reads the text of an environment file: blank lines and `#` lines are skipped, `export ` is
 * dropped, the first `=` splits; quotes stay in the value and nothing is interpolated.
 * @param path only for messages
 * @throws WorkloadFailure (usage) on a line with an impossible name.
 */
export function parseEnvironmentFile(content: string, path: string, flag = '--env-file'): Environment {
  const variables = empty();
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
    const problem = badKey(key) ?? (line.includes('\0') ? 'holds a NUL character' : undefined);
    if (problem !== undefined) throw badFlag(`${flag} ${path}`, `line ${index + 1} ${problem}`);
    variables[key] = line.slice(at + 1);
  }
  return { variables, warnings };
}

/** Reads `--env-file`. @throws WorkloadFailure (usage) when it cannot be read. */
export function readEnvironmentFile(path: string): Environment {
  let content: string;
  try {
    content = readSmallText(path, LARGEST_FILE);
  } catch (error) {
    throw badFlag(`--env-file ${path}`, `cannot be read: ${messageOf(error)}`);
  }
  return parseEnvironmentFile(content, path);
}

/**
 * Reads every file of `--env-file-dir` in the order of their names; later files win. Dot files and
 * folders are skipped, a file that cannot be read is skipped with a warning.
 * @throws WorkloadFailure (usage) when there is no such folder, or a line has an impossible name.
 */
export function readEnvironmentFolder(path: string): Environment {
  let names: string[];
  try {
    names = readdirSync(path).sort();
  } catch (error) {
    throw badFlag(`--env-file-dir ${path}`, `cannot be read: ${messageOf(error)}`);
  }
  const variables = empty();
  const warnings: string[] = [];
  for (const name of names) {
    const file = join(path, name);
    if (name.startsWith('.')) continue;
    try {
      if (!statSync(file).isFile()) continue;
      const read = parseEnvironmentFile(readSmallText(file, LARGEST_FILE), file, '--env-file-dir');
      Object.assign(variables, read.variables);
      warnings.push(...read.warnings);
    } catch (error) {
      if (error instanceof WorkloadFailure) throw error;
      warnings.push(`${file} is skipped: ${messageOf(error)}`);
    }
  }
  return { variables, warnings };
}
