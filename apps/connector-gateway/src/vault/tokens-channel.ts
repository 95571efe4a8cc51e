import type { TokenOwner } from './token-owner.ts';

/** The channel that names owners whose connection has changed. */
export const TOKENS_CHANNEL = 'upstream_tokens_changed';

/** Longest payload of a notification, below the limit of Postgres. */
const MAX_PAYLOAD = 7_000;

/** The payload that names an owner; empty for an owner with long names. */
export function formatTokensPayload({ issuer, subject, connectorId }: TokenOwner): string {
  const payload = JSON.stringify([issuer, subject, connectorId]);
  return Buffer.byteLength(payload) > MAX_PAYLOAD ? '' : payload;
}

/** The owner that a notification names; undefined if it names none. */
export function readTokensPayload(payload: string): TokenOwner | undefined {
  if (payload === '') return undefined;
  const [issuer, subject, connectorId] = JSON.parse(payload) as [string, string, string];
  return { issuer, subject, connectorId };
}
