import { etagOf } from '@gatehouse/service-kit/etag';
import type { JsonObject } from '@gatehouse/signed-config/canonical';
import { parseDuration } from '@gatehouse/signed-config/duration';
import type { ClientConfig } from './client-config.dto.ts';
import type { EnterpriseConfig } from './directives.dto.ts';

/** A place in a document and what is wrong there. */
export interface Fault {
  /** Path such as `overrides[2].group_id`. */
  field: string;
  message: string;
}

type Directive = keyof EnterpriseConfig;

/**
 * Whether a directive takes the choice from the person. Of build_env and degraded_mode nobody has
 * one, whatever a variable may be called.
 */
function isEnforced(config: EnterpriseConfig, name: Directive): boolean {
  if (name === 'build_env' || name === 'degraded_mode') return false;
  return config[name]?.enforcement === 'enforced';
}

/**
 * What a person is configured with. Each directive is taken whole from one document: from the first
 * of the person's overrides (in order of precedence) that names it, else from the base. Only an
 * enforced directive is stronger than that: one that is enforced anywhere beats every one that is a
 * default, so that no membership can turn what is enforced into a choice.
 *
 * @param overrides those of the groups that hold the person, lowest precedence first
 */
export function effectiveConfig(base: EnterpriseConfig, overrides: readonly EnterpriseConfig[]): EnterpriseConfig {
  const documents = [...overrides, base];
  const names = [...new Set(documents.flatMap((document) => Object.keys(document)))] as Directive[];
  const effective = names.map((name) => {
    const naming = documents.filter((document) => document[name] !== undefined);
    return [name, (naming.find((document) => isEnforced(document, name)) ?? naming[0])?.[name]];
  });
  return Object.fromEntries(effective) as EnterpriseConfig;
}

/**
 * What is wrong with a document although each of its fields is sound: groups or precedences that
 * are given twice, defaults that could never count.
 */
export function faultsOf({ config: base, overrides }: ClientConfig): Fault[] {
  return overrides.flatMap(({ group_id, precedence, config }, at) => {
    const before = overrides.slice(0, at);
    const faults: Fault[] = [];
    if (before.some((other) => other.group_id === group_id))
      faults.push({ field: `overrides[${at}].group_id`, message: 'has an override already' });
    if (before.some((other) => other.precedence === precedence))
      faults.push({ field: `overrides[${at}].precedence`, message: 'is that of another override' });
    for (const name of Object.keys(config) as Directive[]) {
      if (isEnforced(base, name) && !isEnforced(config, name))
        faults.push({
          field: `overrides[${at}].config.${name}`,
          message: 'could never count, since the base enforces this directive; enforce it here too',
        });
    }
    return faults;
  });
}

/** The document with its overrides in order, as it is stored and read. */
export const ordered = ({ config, overrides }: ClientConfig): ClientConfig => ({
  config,
  overrides: [...overrides].sort((a, b) => a.precedence - b.precedence),
});

/** Names of what differs: `config.<directive>` of the base, `overrides/<group id>`. */
export function changedFields(before: ClientConfig, after: ClientConfig): string[] {
  const directives = [...new Set([...Object.keys(before.config), ...Object.keys(after.config)])] as Directive[];
  const groups = [...new Set([...before.overrides, ...after.overrides].map(({ group_id }) => group_id))];
  const overrideOf = ({ overrides }: ClientConfig, id: string) => overrides.find(({ group_id }) => group_id === id);
  return [
    ...directives
      .filter((name) => textOf(before.config[name]) !== textOf(after.config[name]))
      .map((name) => `config.${name}`),
    ...groups
      .filter((id) => textOf(overrideOf(before, id)) !== textOf(overrideOf(after, id)))
      .map((id) => `overrides/${id}`),
  ].sort();
}

/** A text that differs when the spelling of a number differs. */
const textOf = (value: object | undefined): string => (value === undefined ? '' : etagOf(value));

/** An object as JSON has it: without members that are undefined. */
export const jsonOf = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/** The longest time, in milliseconds, that any client may be served a last known configuration. */
export const longestGraceMs = ({ config, overrides }: ClientConfig, usualMs: number): number =>
  Math.max(
    ...[config, ...overrides.map((override) => override.config)].map(({ degraded_mode }) =>
      degraded_mode ? (parseDuration(degraded_mode.grace_period) ?? 0) : usualMs,
    ),
  );
