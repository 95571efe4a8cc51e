/**
 * Applies a JSON merge patch (RFC 7396, section 2) and changes neither argument. As in the API
 * server, objects in lists lose their members that are null; by the RFC they keep them. Members
 * with names such as `__proto__` and `constructor` are members like others; docs/decisions/0172
 * says what libraries do with them.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return patch.map((item: unknown) => applyMergePatch(undefined, item));
  if (!isJsonObject(patch)) return patch;
  const members = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch))
    if (value === null) members.delete(name);
    else members.set(name, applyMergePatch(members.get(name), value));
  return Object.fromEntries(members);
}

/** Whether the value is a JSON object: no array and not null. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
