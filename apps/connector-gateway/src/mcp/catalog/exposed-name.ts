import { createHash } from 'node:crypto';

/** The longest tool or prompt name that common model APIs accept. */
const MAX_NAME_LENGTH = 64;

/**
 * Separates the connector's slug from the upstream's name. Slugs hold no underscore, so the first
 * occurrence is the separator.
 */
const SEPARATOR = '__';

const HASH_LENGTH = 8;
const HASH_SUFFIX = /_[0-9a-f]{8}$/;

/**
 * The client's name of a tool or prompt at the aggregated endpoint: `<slug>__<name>`, at most 64
 * characters of `[A-Za-z0-9_-]`. A name that is too long, has other characters or ends like a hash
 * is cut and ends in a hash of the original. Two originals never get the
 * same name, and a name does not depend on other names.
 */
export function createExposedName(slug: string, original: string): string {
  const prefix = `${slug}${SEPARATOR}`;
  const room = MAX_NAME_LENGTH - prefix.length;
  if (original.length <= room && /^[A-Za-z0-9_-]+$/.test(original) && !HASH_SUFFIX.test(original))
    return `${prefix}${original}`;
  const hash = createHash('sha256').update(original).digest('hex').slice(0, HASH_LENGTH);
  const readable = original.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, room - HASH_LENGTH - 1);
  return `${prefix}${readable}_${hash}`;
}

/** The slug of an exposed name; undefined without a separator. */
export function getSlug(exposed: string): string | undefined {
  const border = exposed.indexOf(SEPARATOR);
  return border > 0 ? exposed.slice(0, border) : undefined;
}

/** A name of any characters with a slug before it. */
export const addSlug = (slug: string, name: string): string => `${slug}${SEPARATOR}${name}`;

/** An exposed name without its slug; a name without a slug stays unchanged. */
export function removeSlug(exposed: string): string {
  const slug = getSlug(exposed);
  return slug === undefined ? exposed : exposed.slice(slug.length + SEPARATOR.length);
}
