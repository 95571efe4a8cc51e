import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../../errors/cli-error.ts';
import { isJsonObject } from '../../../json/json-object.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One change of a setting. */
export interface SettingChange {
  /** The place of the setting: `['limits', 'max_result_bytes']`. */
  readonly path: readonly string[];
  readonly value: unknown;
}

const EXAMPLE = 'for example: limits.calls_per_minute_per_person=60';

/**
 * Parses `limits.calls_per_minute_per_person=60`. The value is JSON; other texts are strings.
 * @throws UsageError for a text of another form
 */
export function parseSettingChange(text: string): SettingChange {
  const at = text.indexOf('=');
  const path = text.slice(0, at).split('.');
  if (at < 1 || path.includes('')) throw new UsageError(`${JSON.stringify(text)} must be NAME=VALUE`, [EXAMPLE]);
  const value = text.slice(at + 1);
  try {
    return { path, value: JSON.parse(value) as unknown };
  } catch {
    return { path, value };
  }
}

/** Applies changes to settings. `connectors.<id>=null` removes the settings of a connector. */
export function applySettingChanges(settings: JsonObject, changes: readonly SettingChange[]): JsonObject {
  return changes.reduce(
    (present, { path, value }) => setMember(present, path, isRemoval(path, value), value),
    settings,
  );
}

const isRemoval = ([section, ...rest]: readonly string[], value: unknown): boolean =>
  section === 'connectors' && rest.length === 1 && value === null;

function setMember(object: JsonObject, path: readonly string[], removes: boolean, value: unknown): JsonObject {
  const [name = '', ...rest] = path;
  const { [name]: present, ...others } = object;
  if (rest.length > 0)
    return { ...object, [name]: setMember(isJsonObject(present) ? present : {}, rest, removes, value) };
  return removes ? others : { ...object, [name]: value };
}

/**
 * Applies the changes of a person to settings that others changed in the meantime: a setting that
 * the person changed has the person's value, any other setting the present one.
 */
export function rebaseSettings(base: unknown, edited: unknown, present: unknown): unknown {
  if (isDeepStrictEqual(base, edited)) return present;
  if (!isJsonObject(edited) || !isJsonObject(present)) return edited;
  const before: JsonObject = isJsonObject(base) ? base : {};
  const names = new Set([...Object.keys(edited), ...Object.keys(present)]);
  return Object.fromEntries(
    [...names]
      .map((name) => [name, rebaseSettings(before[name], edited[name], present[name])] as const)
      .filter(([, value]) => value !== undefined),
  );
}
