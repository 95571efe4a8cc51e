import { isJsonObject } from '@gatehouse/ai-resources/merge-patch';

/** The claims of a verified token (RFC 7519). */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Lists the texts of a claim: a string, the JSON text of a boolean or of an integer, or those of
 * the items of a list. Another value has no text, nor has an integer that JavaScript rounds.
 * @param name the name of a claim, or a dotted path into nested objects (`realm_access.roles`)
 * when no claim has this name
 */
export function listClaimTexts(claims: Claims, name: string): readonly string[] {
  const path = Object.hasOwn(claims, name) ? [name] : name.split('.');
  let found: unknown = claims;
  for (const segment of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, segment)) return [];
    found = found[segment];
  }
  return listTexts(found);
}

/**
 * Lists the texts of all claims with their names, and those in nested objects with their dotted
 * paths. The list has each name and text that `listClaimTexts` finds; further ones are possible.
 */
export function listAllTexts(claims: Claims): readonly (readonly [name: string, text: string])[] {
  const found: (readonly [string, string])[] = [];
  const objects: (readonly [prefix: string, object: Claims])[] = [['', claims]];
  // The loop also takes the objects that it adds. Claims can be nested too deeply for a recursion.
  for (const [prefix, object] of objects) {
    for (const [name, value] of Object.entries(object)) {
      for (const text of listTexts(value)) found.push([prefix + name, text]);
      if (isJsonObject(value)) objects.push([`${prefix}${name}.`, value]);
    }
  }
  return found;
}

const listTexts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item: unknown) => {
    if (typeof item === 'string') return [item];
    return typeof item === 'boolean' || Number.isSafeInteger(item) ? [JSON.stringify(item)] : [];
  });
