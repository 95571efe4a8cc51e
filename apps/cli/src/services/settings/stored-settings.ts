import { CommandFailedError } from '../../errors/cli-error.ts';
import { changeSection, readSettings } from '../settings-file.ts';
import type { SettingDefinition, SettingValue } from './definitions.ts';

/** The section of settings.json with the texts of the settings, by key. Unknown keys stay. */
const SECTION = 'values';

/**
 * Reads the texts of the settings of a home.
 * @throws CommandFailedError for a section that is not an object
 */
function readTexts(section: unknown): Readonly<Record<string, unknown>> {
  if (section === undefined) return {};
  if (typeof section === 'object' && section !== null && !Array.isArray(section)) return { ...section };
  throw new CommandFailedError(`The section '${SECTION}' of settings.json is damaged: it must be a JSON object`, [
    'correct the file, or remove the section to return to the default settings',
  ]);
}

/**
 * Reads a setting of the file; undefined where it has none.
 * @throws CommandFailedError for an invalid value
 */
export function readStoredSetting(home: string, { key, parse }: SettingDefinition): SettingValue | undefined {
  const text = readTexts(readSettings(home)[SECTION])[key];
  if (text === undefined) return undefined;
  try {
    if (typeof text !== 'string') throw new Error(`The setting ${key} of settings.json must be a text`);
    return parse(text);
  } catch (error) {
    throw new CommandFailedError(
      error instanceof Error ? error.message : String(error),
      [`gatehouse settings unset ${key}   returns to the default`],
      error,
    );
  }
}

/** Stores the text of a setting; undefined removes it. */
export function storeSetting(home: string, key: string, text: string | undefined): Promise<void> {
  return changeSection(home, SECTION, (section) => {
    const { [key]: _, ...others } = readTexts(section);
    const texts = text === undefined ? others : { ...others, [key]: text };
    return Object.keys(texts).length === 0 ? undefined : texts;
  });
}
