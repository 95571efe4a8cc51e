import { createHash } from 'node:crypto';

/** The longest tool or prompt name that common model APIs accept. */
const MAX_NAME_LENGTH = 64;

/** Between the connector's slug and the upstream's own name. Slugs hold no underscore, so the first occurrence is always the border. */
const SEPARATOR = '__';

const HASH_LENGTH = 8;

/**
 * The name under which clients of the aggregated endpoint see an upstream tool or prompt: `<slug>__<name>`, at most 64 characters of `[A-Za-z0-9_-]`.
 * Names that are too long or hold other characters are cut and end in a hash of the whole original, so two originals never share a name and
 * one original keeps its name for ever.
 */
export function exposedName(slug: string, original: string): string {
  const prefix = `${slug}${SEPARATOR}`;
  const room = MAX_NAME_LENGTH - prefix.length;
  if (original.length > 0 && original.length <= room && /^[A-Za-z0-9_-]+$/.test(original))
    return `${prefix}${original}`;
  const hash = createHash('sha256').update(original).digest('hex').slice(0, HASH_LENGTH);
  const readable = original.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, room - HASH_LENGTH - 1);
  return `${prefix}${readable}_${hash}`;
}

/** The slug part of an exposed name, or undefined where there is none. It names a connector only if one has exactly this slug. */
export function slugOf(exposed: string): string | undefined {
  const border = exposed.indexOf(SEPARATOR);
  return border > 0 ? exposed.slice(0, border) : undefined;
}
