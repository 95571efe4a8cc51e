import type { JsonObject } from '../../formats/model-request.ts';

/** Leaves out the members of an object that are undefined. */
export const omitUndefined = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
