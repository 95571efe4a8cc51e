import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';

type CedarRecord = Record<string, cedar.CedarValueJson>;

/** The deepest level of claims. Values below it do not exist for policies. */
const MAX_DEPTH = 10;
/** The largest value of a decimal of Cedar. */
const MAX_DECIMAL = 922_337_203_685_477;
/** Members with which Cedar's JSON refers to entities and functions. */
const ESCAPES = ['__entity', '__extn', '__expr'];

/**
 * Converts a value of JSON. Numbers are decimals with four digits after the point, because JSON has
 * one type of numbers.
 * @returns undefined for a value that Cedar cannot have
 */
export function toCedarValue(value: unknown, depth = 0): cedar.CedarValueJson | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return toDecimal(value);
  if (depth >= MAX_DEPTH) return undefined;
  if (Array.isArray(value))
    return value.map((item) => toCedarValue(item, depth + 1)).filter((item) => item !== undefined);
  if (!isJsonObject(value) || ESCAPES.some((name) => Object.hasOwn(value, name))) return undefined;
  return toRecord(Object.entries(value), depth + 1);
}

function toRecord(entries: readonly [string, unknown][], depth: number): CedarRecord {
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const converted = toCedarValue(value, depth);
      return converted === undefined ? [] : [[name, converted] as const];
    }),
  );
}

function toDecimal(value: number): cedar.CedarValueJson | undefined {
  if (Math.abs(value) > MAX_DECIMAL) return undefined;
  return { __extn: { fn: 'decimal', arg: (Math.trunc(value * 10_000) / 10_000).toFixed(4) } };
}

/** The attributes of the claims of a caller: `claim_` and the name. */
export function toClaimAttributes(
  claims: Readonly<Record<string, unknown>>,
  multiValued: readonly string[],
): CedarRecord {
  const attributes = toRecord(
    Object.entries(claims).map(([name, value]) => [`claim_${name}`, value]),
    0,
  );
  for (const name of multiValued) {
    const values = listTexts(Object.hasOwn(claims, name) ? claims[name] : undefined);
    if (values === undefined) continue;
    attributes[`claim_${name}`] = values.join(' ');
    attributes[`claimset_${name}`] = values;
  }
  return attributes;
}

/** The texts of a list, or of a text with blanks; undefined for another value. */
function listTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(/\s+/).filter((text) => text !== '');
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

/** The most arguments where policies use the whole context and so need all of them. */
export const MAX_ARGUMENTS = 1_000;

/**
 * The attributes of arguments: `arg_` and the name for texts, numbers and booleans. Others only
 * have `arg_<name>_present`, which wins over an argument of that name.
 * @param used the attributes that policies use, so that others cost nothing; undefined: all
 * @returns undefined for more than {@link MAX_ARGUMENTS} arguments, where policies use all
 */
export function toArgumentAttributes(args: unknown, used: ReadonlySet<string> | undefined): CedarRecord | undefined {
  if (!isJsonObject(args)) return {};
  const names = used === undefined ? Object.keys(args) : listUsedNames(used);
  if (used === undefined && names.length > MAX_ARGUMENTS) return undefined;
  const attributes: [string, cedar.CedarValueJson][] = [];
  const marks: [string, cedar.CedarValueJson][] = [];
  for (const name of names) {
    if (!Object.hasOwn(args, name)) continue;
    const value = args[name];
    const converted = typeof value === 'object' ? undefined : toCedarValue(value);
    if (typeof value === 'object') marks.push([`arg_${name}_present`, true]);
    else if (converted !== undefined) attributes.push([`arg_${name}`, converted]);
  }
  return Object.fromEntries([...attributes, ...marks]);
}

/** The arguments that can be the source of used attributes. */
const listUsedNames = (used: ReadonlySet<string>): string[] =>
  [...used].flatMap((attribute) => {
    const name = /^arg_(.*)$/s.exec(attribute)?.[1];
    if (name === undefined) return [];
    return name.endsWith('_present') ? [name, name.slice(0, -'_present'.length)] : [name];
  });
