import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from './json-object.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Creates the smallest JSON merge patch (RFC 7396) that turns `before` into `after`. A member that
 * is null in `after` counts as absent, because a merge patch cannot set null.
 */
export function createMergePatch(before: JsonObject, after: JsonObject): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].flatMap((name): [string, unknown][] => {
      const [old, next] = [getOwn(before, name), getOwn(after, name)];
      if (isDeepStrictEqual(old ?? undefined, next ?? undefined)) return [];
      if (next === undefined || next === null) return [[name, null]];
      if (!isJsonObject(next)) return [[name, next]];
      if (!isJsonObject(old)) return [[name, createMergePatch({}, next)]];
      const nested = createMergePatch(old, next);
      return Object.keys(nested).length === 0 ? [] : [[name, nested]];
    }),
  );
}

const getOwn = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
