import type { CliConfig } from '../../config/config.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { REGISTRY_KEY, requireSetting, SETTINGS, type SettingDefinition, type SettingValue } from './definitions.ts';
import { readRegistrySource } from './registry-source.ts';
import { readStoredSetting, storeSetting } from './stored-settings.ts';

/** A setting with its present value, as `settings list --json` shows it. */
export interface Setting {
  readonly key: string;
  /** Null: it has no value. */
  readonly value: SettingValue | null;
  /** The origin of the value: the default, settings.json, or an environment variable. */
  readonly source: 'default' | 'file' | 'environment';
  /** The environment variable of the value. */
  readonly variable?: string;
  readonly type: string;
  readonly default: SettingValue | null;
  readonly description: string;
}

/** Lists all settings. @throws CommandFailedError for an invalid value in settings.json */
export const listSettings = (config: CliConfig): Setting[] =>
  [...SETTINGS.map((setting) => describe(setting, config)), describeRegistry(config)].sort((a, b) =>
    a.key < b.key ? -1 : 1,
  );

/** Returns one setting. @throws UsageError for an unknown key */
export const getSetting = (key: string, config: CliConfig): Setting =>
  key === REGISTRY_KEY ? describeRegistry(config) : describe(requireSetting(key), config);

/**
 * Stores a setting.
 * @param folder against which paths are relative
 * @throws CliError or WorkloadError (usage) for an unknown key or an invalid value
 */
export async function setSetting(key: string, text: string, folder: string, config: CliConfig): Promise<Setting> {
  const setting = requireChangeable(key, `gatehouse registry set ${text}`);
  if (text.trim() === '') throw new UsageError(`The setting ${key} needs a value`, [`gatehouse settings unset ${key}`]);
  const prepared = setting.prepare?.(text, folder) ?? text;
  setting.parse(prepared);
  await storeSetting(config.home, key, prepared);
  return describe(setting, config);
}

/** Returns a setting to its default. @throws UsageError for an unknown key */
export async function unsetSetting(key: string, config: CliConfig): Promise<Setting> {
  const setting = requireChangeable(key, 'gatehouse registry set --reset');
  await storeSetting(config.home, key, undefined);
  return describe(setting, config);
}

function requireChangeable(key: string, command: string): SettingDefinition {
  if (key !== REGISTRY_KEY) return requireSetting(key);
  throw new UsageError(`The setting ${key} has a command of its own, because a registry is read before it is stored`, [
    command,
  ]);
}

function describe(setting: SettingDefinition, config: CliConfig): Setting {
  const { key, type, description, defaultValue = null } = setting;
  const shown = { type, default: defaultValue, description };
  const given = setting.environment?.(config);
  if (given !== undefined)
    return { key, value: given.value, source: 'environment', variable: given.variable, ...shown };
  const stored = readStoredSetting(config.home, setting);
  if (stored !== undefined) return { key, value: stored, source: 'file', ...shown };
  return { key, value: defaultValue, source: 'default', ...shown };
}

function describeRegistry({ home }: CliConfig): Setting {
  const source = readRegistrySource(home);
  const value = source.kind === 'embedded' ? 'embedded' : source.kind === 'file' ? source.path : source.url;
  return {
    ...{ key: REGISTRY_KEY, value, source: source.kind === 'embedded' ? 'default' : 'file' },
    ...{ type: 'path or URL', default: 'embedded', description: 'registry of servers; registry set changes it' },
  };
}

/** A value in one line; a dash for none. */
export function formatSettingValue(value: SettingValue | null): string {
  if (value === null) return '-';
  return Array.isArray(value) ? value.join(',') || '-' : String(value);
}
