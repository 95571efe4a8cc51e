import { createHash } from 'node:crypto';

/** The digest under which a value is stored that a caller could present (SHA-256, base64url). */
export const computeDigest = (value: string): string => createHash('sha256').update(value).digest('base64url');
