import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * The largest count of tokens or calls in one request. A larger one is an error of the reporter.
 */
export const MAX_COUNT = 10_000_000_000;

/**
 * A value of a usage object that is not a valid count, with its path, such as
 * `prompt_tokens_details.cached_tokens`.
 */
export class UsageCountError extends GatehouseError {
  override readonly code = 'invalid_usage_count';

  constructor(
    readonly field: string,
    readonly reason: string,
  ) {
    super(`${field}: ${reason}`);
  }
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of a count, or of an object and the count in it. */
type Path = readonly [name: string, inner?: string];

/** Reads the counts of one usage object, and records whether it has any. */
export class Counts {
  /** Whether the object has a count, even zero. */
  any = false;

  /** The count at a path; 0 without one. @throws UsageCountError */
  at(raw: Json, ...path: Path): bigint {
    return this.optional(raw, ...path) ?? 0n;
  }

  /** The count at a path; undefined without one. @throws UsageCountError */
  optional(raw: Json, ...[name, inner]: Path): bigint | undefined {
    const value = raw[name];
    if (inner === undefined) return this.read(value, name);
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) throw new UsageCountError(name, 'must be an object');
    return this.read(value[inner], name, inner);
  }

  /** The tokens of one modality in a list of `{modality, tokenCount}`. @throws UsageCountError */
  ofModality(raw: Json, list: string, modality: string): bigint {
    return this.objects(raw, list).reduce((sum, { modality: named, tokenCount }, at) => {
      const count = this.read(tokenCount, `${list}[${at}]`, 'tokenCount') ?? 0n;
      return named === modality ? sum + count : sum;
    }, 0n);
  }

  /** The objects of a list; empty without a list. @throws UsageCountError */
  objects(raw: Json, list: string): Json[] {
    const items = raw[list];
    if (items === undefined || items === null) return [];
    if (!Array.isArray(items)) throw new UsageCountError(list, 'must be a list');
    return items.map((item: unknown, at) => {
      if (!isObject(item)) throw new UsageCountError(`${list}[${at}]`, 'must be an object');
      return item;
    });
  }

  private read(value: unknown, ...path: Path): bigint | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_COUNT)
      throw new UsageCountError(path.join('.'), `must be a whole number from 0 to ${MAX_COUNT}`);
    this.any = true;
    return BigInt(value);
  }
}

/** Takes at most `wanted` from the rest of a total. */
export class Total {
  constructor(private left: bigint) {}

  take(wanted: bigint): bigint {
    const taken = wanted < this.left ? wanted : this.left;
    this.left -= taken;
    return taken;
  }

  /** The rest of the total. */
  rest(): bigint {
    return this.take(this.left);
  }
}
