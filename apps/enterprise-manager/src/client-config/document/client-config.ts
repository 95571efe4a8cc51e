import { computeETag } from '@gatehouse/service-kit/etag';
import type { JsonObject } from '@gatehouse/signed-config/canonical';
import { parseDuration } from '@gatehouse/signed-config/duration';
import type { ClientConfig } from './client-config.dto.ts';
import type { EnterpriseConfig } from './directives.dto.ts';

/** A violation of a rule for documents. */
export interface Violation {
  /** Path such as `overrides[2].group_id`. */
  field: string;
  message: string;
}

type Directive = keyof EnterpriseConfig;

/**
 * Whether users cannot change a directive. build_env and degraded_mode have no `enforcement`; a
 * variable of build_env can have this name.
 */
function isEnforced(config: EnterpriseConfig, name: Directive): boolean {
  if (name === 'build_env' || name === 'degraded_mode') return false;
  return config[name]?.enforcement === 'enforced';
}

/**
 * Returns the configuration of a user. Each directive comes whole from one document: from the first
 * override (in order of precedence) that has it, otherwise from the base. An enforced directive of
 * any of these documents wins over defaults, so that no group membership makes an enforced
 * directive changeable.
 *
 * @param overrides of the user's groups, lowest precedence first
 */
export function getEffectiveConfig(base: EnterpriseConfig, overrides: readonly EnterpriseConfig[]): EnterpriseConfig {
  const documents = [...overrides, base];
  const names = [...new Set(documents.flatMap((document) => Object.keys(document)))] as Directive[];
  const effective = names.map((name) => {
    const candidates = documents.filter((document) => document[name] !== undefined);
    return [name, (candidates.find((document) => isEnforced(document, name)) ?? candidates[0])?.[name]];
  });
  return Object.fromEntries(effective) as EnterpriseConfig;
}

/**
 * Finds contradictions between fields that are valid by themselves: duplicate groups and
 * precedences, and defaults of overrides that the base always overrules.
 */
export function findViolations({ config: base, overrides }: ClientConfig): Violation[] {
  return overrides.flatMap(({ group_id, precedence, config }, at) => {
    const before = overrides.slice(0, at);
    const violations: Violation[] = [];
    if (before.some((other) => other.group_id === group_id))
      violations.push({
        field: `overrides[${at}].group_id`,
        message: 'is duplicate: each group can have one override',
      });
    if (before.some((other) => other.precedence === precedence))
      violations.push({
        field: `overrides[${at}].precedence`,
        message: 'is duplicate: each override needs its own precedence',
      });
    for (const name of Object.keys(config) as Directive[]) {
      if (isEnforced(base, name) && !isEnforced(config, name))
        violations.push({
          field: `overrides[${at}].config.${name}`,
          message: 'has no effect, because the base document enforces this directive; enforce it here too',
        });
    }
    return violations;
  });
}

/** Sorts the overrides by precedence, the order in which they are stored and read. */
export const sortOverrides = ({ config, overrides }: ClientConfig): ClientConfig => ({
  config,
  overrides: [...overrides].sort((a, b) => a.precedence - b.precedence),
});

/**
 * Returns the names of the differences for the audit trail: `config.<directive>` of the base, and
 * `overrides/<group id>`.
 */
export function getChangedFields(before: ClientConfig, after: ClientConfig): string[] {
  const directives = [...new Set([...Object.keys(before.config), ...Object.keys(after.config)])] as Directive[];
  const groups = [...new Set([...before.overrides, ...after.overrides].map(({ group_id }) => group_id))];
  const findOverride = ({ overrides }: ClientConfig, id: string) => overrides.find(({ group_id }) => group_id === id);
  return [
    ...directives
      .filter((name) => toComparableText(before.config[name]) !== toComparableText(after.config[name]))
      .map((name) => `config.${name}`),
    ...groups
      .filter((id) => toComparableText(findOverride(before, id)) !== toComparableText(findOverride(after, id)))
      .map((id) => `overrides/${id}`),
  ].sort();
}

/** Converts a value to a text for comparison. Different spellings of a number differ. */
const toComparableText = (value: object | undefined): string => (value === undefined ? '' : computeETag(value));

/** Converts an object to JSON, without members that are undefined. */
export const toJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/**
 * Returns the longest grace period of the documents, in milliseconds.
 * @param defaultMs the grace period of a document without `degraded_mode`
 */
export const getLongestGraceMs = ({ config, overrides }: ClientConfig, defaultMs: number): number =>
  Math.max(
    ...[config, ...overrides.map((override) => override.config)].map(({ degraded_mode }) =>
      degraded_mode ? (parseDuration(degraded_mode.grace_period) ?? 0) : defaultMs,
    ),
  );
