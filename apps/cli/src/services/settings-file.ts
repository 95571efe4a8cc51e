import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import { CommandFailedError } from '../errors/cli-error.ts';

/** The settings of the command line: a section for each subject. Unknown sections stay. */
export type Settings = Readonly<Record<string, unknown>>;

const getPath = (home: string): string => join(home, 'settings.json');

/**
 * Reads `settings.json` of a home; a missing file has no settings.
 * @throws CommandFailedError for a file that is not a JSON object
 */
export function readSettings(home: string): Settings {
  let text: string;
  try {
    text = readFileSync(getPath(home), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandFailedError(`The settings in ${getPath(home)} are damaged: the file must be a JSON object`, [
      'correct the file, or remove it to return to the default settings',
    ]);
  return { ...value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Changes one section of the settings. The other sections stay, also when other commands change
 * them at the same time.
 * @param change receives the present section and returns the new one; undefined: no section
 */
export async function changeSection(
  home: string,
  name: string,
  change: (section: unknown) => object | undefined,
): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { withProcessLock } = await import('@gatehouse/local-files/process-lock');
  await withProcessLock(join(home, 'settings.lock'), () => {
    const { [name]: present, ...others } = readSettings(home);
    const section = change(present);
    const settings = section === undefined ? others : { ...others, [name]: section };
    replaceFile(getPath(home), `${JSON.stringify(settings, null, 2)}\n`);
    return Promise.resolve();
  });
}
