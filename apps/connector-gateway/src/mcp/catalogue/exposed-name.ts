import { createHash } from 'node:crypto';

/** The longest tool or prompt name that common model APIs accept. */
const MAX_NAME_LENGTH = 64;

/**
 * Between the connector's slug and the upstream's own name. Slugs hold no underscore, so the first
 * occurrence is always the border.
 */
const SEPARATOR = '__';

const HASH_LENGTH = 8;
const HASHED = /_[0-9a-f]{8}$/;

/**
 * The name under which clients of the aggregated endpoint see an upstream tool or prompt:
 * `<slug>__<name>`, at most 64 characters of `[A-Za-z0-9_-]`. Names that are too long, hold other
 * characters, or look as if they ended in such a hash themselves are cut and end in a hash of the
 * whole original: no original can pass for the shortened form of another, and one original keeps
 * its name for ever.
 */
export function exposedName(slug: string, original: string): string {
  const prefix = `${slug}${SEPARATOR}`;
  const room = MAX_NAME_LENGTH - prefix.length;
  if (original.length <= room && /^[A-Za-z0-9_-]+$/.test(original) && !HASHED.test(original))
    return `${prefix}${original}`;
  const hash = createHash('sha256').update(original).digest('hex').slice(0, HASH_LENGTH);
  const readable = original.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, room - HASH_LENGTH - 1);
  return `${prefix}${readable}_${hash}`;
}

/**
 * The slug part of an exposed name, or undefined where there is none. It names a connector only if
 * one has exactly this slug.
 */
export function slugOf(exposed: string): string | undefined {
  const border = exposed.indexOf(SEPARATOR);
  return border > 0 ? exposed.slice(0, border) : undefined;
}

/** A name with a slug before it, whatever it is made of. */
export const withSlug = (slug: string, name: string): string => `${slug}${SEPARATOR}${name}`;

/** An exposed name without its slug; a name without a slug as it is. */
export function withoutSlug(exposed: string): string {
  const slug = slugOf(exposed);
  return slug === undefined ? exposed : exposed.slice(slug.length + SEPARATOR.length);
}
