import { z } from 'zod';
import { Pacer } from '../concurrency/pacer.ts';
import { MAX_NAMED, type SchemaIssue, tooManyEntries, tooManyItems, UNKNOWN_FIELD } from '../errors/sentences.ts';

const checkedAs = new WeakMap<object, z.ZodType>();

/** The results of items that their schema has checked. */
const checkedItems = new WeakSet<object>();

/**
 * The schema for an item of a list with thousands of items. `ValidationPipe` checks such a list
 * item by item, with yields to the event loop, before the schema of the list runs. It puts the
 * checked items into the list, and this schema accepts them.
 */
export function checkedInTurns<Item>(schema: z.ZodType<Item>): z.ZodType<Item> {
  const item = z.unknown().transform((value, context): Item => {
    if (typeof value === 'object' && value !== null && checkedItems.has(value)) return value as Item;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    context.issues.push(...result.error.issues.map((issue) => ({ ...issue, input: value }) as z.core.$ZodRawIssue));
    return z.NEVER;
  });
  checkedAs.set(item, schema);
  return item;
}

/** The original schema of a `checkedInTurns` schema. */
export const schemaCheckedInTurns = (schema: object): z.ZodType | undefined => checkedAs.get(schema);

/**
 * Limits the entries of a record. `ValidationPipe` reads the maximum of this check and refuses a
 * larger record before it checks an entry; the schema alone would check all entries in one turn.
 */
export function atMostEntries(maximum: number): z.core.$ZodCheck<Record<string, unknown>> {
  const check = z.check<Record<string, unknown>>(({ value, issues }) => {
    if (Object.keys(value).length > maximum)
      issues.push({ code: 'custom', message: tooManyEntries(maximum), input: value });
  });
  Object.assign(check._zod.def, { maximum });
  return check;
}

/** The schema alone checks collections of up to this size, and reports all of their faults. */
const FEW = 50;

type Path = readonly PropertyKey[];
type Definition = z.core.$ZodTypeDef & {
  innerType?: z.ZodType;
  in?: z.ZodType;
  shape?: Readonly<Record<string, z.ZodType>>;
  catchall?: z.ZodType;
  element?: z.ZodType;
  keyType?: z.core.$ZodRecordKey;
  valueType?: z.ZodType;
};

/**
 * Searches the large lists and records of a value for faults and yields after each item. It stops
 * at the sixth fault, while a schema would report all of them. The schema runs afterwards if no
 * fault was found.
 */
function* earlyFaults(schema: z.ZodType, value: unknown, path: Path, faults: SchemaIssue[]): Generator<void> {
  if (typeof value !== 'object' || value === null || faults.length > MAX_NAMED) return;
  const def = schema.def as Definition;
  const inner = def.innerType ?? def.in;
  if (inner !== undefined) yield* earlyFaults(inner, value, path, faults);
  else if (def.type === 'array') yield* inList(def, value, path, faults);
  else if (def.type === 'record') yield* inRecord(def, value, path, faults);
  else if (def.shape !== undefined) {
    inUnknownMembers(def.shape, def.catchall, value, path, faults);
    for (const [name, member] of Object.entries(def.shape)) {
      if (Object.hasOwn(value, name))
        yield* earlyFaults(member, (value as Record<string, unknown>)[name], [...path, name], faults);
    }
  }
}

/**
 * Reports many unknown members of a strict object. The schema itself reports a few of them together
 * with other faults.
 */
function inUnknownMembers(
  shape: NonNullable<Definition['shape']>,
  catchall: z.ZodType | undefined,
  value: object,
  path: Path,
  faults: SchemaIssue[],
): void {
  if (catchall?.def.type !== 'never' || Array.isArray(value)) return;
  const names = Object.keys(value);
  if (names.length <= FEW + Object.keys(shape).length) return;
  const keys = names.filter((name) => !Object.hasOwn(shape, name));
  faults.push({ code: 'unrecognized_keys', message: UNKNOWN_FIELD, keys, path });
}

function* inList(def: Definition, list: object, path: Path, faults: SchemaIssue[]): Generator<void> {
  if (!Array.isArray(list) || def.element === undefined) return;
  const maximum = getMaxSize(def);
  if (list.length > maximum) {
    faults.push({ message: tooManyItems(maximum), path });
    return;
  }
  const inTurns = checkedAs.get(def.element);
  for (const [at, item] of list.entries()) {
    if (inTurns !== undefined || list.length > FEW) {
      const checked = yield* checkItem(inTurns ?? def.element, item, [...path, at], faults);
      if (inTurns !== undefined) list[at] = checked;
      if (inTurns !== undefined && typeof checked === 'object' && checked !== null && faults.length === 0)
        checkedItems.add(checked);
    } else yield* earlyFaults(def.element, item, [...path, at], faults);
    if (faults.length > MAX_NAMED) return;
    yield;
  }
}

/** Maximum number of items of a list or entries of a record, by its schema. */
function getMaxSize({ checks = [] }: Definition): number {
  const maxima = checks.map(({ _zod }) => (_zod.def as { maximum?: number }).maximum ?? Infinity);
  return Math.min(Infinity, ...maxima);
}

function* inRecord(def: Definition, record: object, path: Path, faults: SchemaIssue[]): Generator<void> {
  const { keyType, valueType } = def;
  if (keyType === undefined || valueType === undefined || Array.isArray(record)) return;
  const entries = Object.entries(record);
  const maximum = getMaxSize(def);
  if (entries.length > maximum) {
    faults.push({ message: tooManyEntries(maximum), path });
    return;
  }
  if (entries.length <= FEW) return;
  const entry = z.record(keyType, valueType);
  for (const pair of entries) {
    yield* checkItem(entry, Object.fromEntries([pair]), path, faults);
    if (faults.length > MAX_NAMED) return;
    yield;
  }
}

/** @returns the item as its schema transforms it */
function* checkItem(schema: z.ZodType, item: unknown, path: Path, faults: SchemaIssue[]): Generator<void, unknown> {
  const before = faults.length;
  yield* earlyFaults(schema, item, path, faults);
  if (faults.length > before) return item;
  const result = schema.safeParse(item);
  if (result.success) return result.data;
  for (const issue of result.error.issues.slice(0, MAX_NAMED + 1))
    faults.push({ ...withRequired(issue, item), path: [...path, ...issue.path] });
  return item;
}

/** The first faults in the large lists and records of a value. */
export function faultsBy(schema: z.ZodType, value: unknown): readonly SchemaIssue[] {
  const faults: SchemaIssue[] = [];
  const search = earlyFaults(schema, value, [], faults);
  while (search.next().done !== true);
  return faults;
}

/** The same as `faultsBy`, with yields to the event loop. */
export async function faultsInTurns(schema: z.ZodType, value: unknown): Promise<readonly SchemaIssue[]> {
  const faults: SchemaIssue[] = [];
  const pacer = new Pacer();
  const search = earlyFaults(schema, value, [], faults);
  while (search.next().done !== true) await pacer.pause();
  return faults;
}

/** Replaces the message of an issue about a missing value with `is required`. */
export function withRequired(issue: SchemaIssue, value: unknown): SchemaIssue {
  if (issue.code === 'custom' || issue.code === 'unrecognized_keys' || issue.path === undefined) return issue;
  let at = value;
  for (const part of issue.path) {
    if (typeof at !== 'object' || at === null) return issue;
    at = (at as Record<PropertyKey, unknown>)[typeof part === 'object' ? part.key : part];
  }
  return at === undefined ? { ...issue, message: 'is required' } : issue;
}
