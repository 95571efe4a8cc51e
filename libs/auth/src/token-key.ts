import { hash } from 'node:crypto';

/** Returns the key under which results of a token are cached: its SHA-256. */
export const getTokenKey = (token: string): string => hash('sha256', token, 'base64url');
