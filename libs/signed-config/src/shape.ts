import { isJsonObject, type Json, type JsonObject } from './canonical.ts';
import { parseDuration } from './duration.ts';
import type { ConfigEnvelope, DegradedMode } from './envelope.ts';
import { SignedConfigError } from './errors.ts';
import { parseStrictJson } from './strict-json.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/**
 * Parses an envelope and checks the types of its members. Unknown members stay, since the signature
 * covers them.
 * @throws SignedConfigError malformed, duplicate_member
 */
export function parseEnvelope(source: string | Uint8Array): { envelope: ConfigEnvelope; whole: JsonObject } {
  const whole = parseStrictJson(source, 'the envelope');
  if (!isJsonObject(whole)) throw new SignedConfigError('malformed', 'the envelope is not an object');
  const degraded = whole['degraded_mode'];
  const envelope: ConfigEnvelope = {
    schema_version: text(whole, 'schema_version'),
    config: object(whole, 'config'),
    ...(degraded !== undefined && { degraded_mode: degradedMode(degraded) }),
    issued_at: instant(whole, 'issued_at'),
    not_after: instant(whole, 'not_after'),
    refresh_interval: interval(whole, 'refresh_interval'),
    etag: text(whole, 'etag'),
    signature: text(whole, 'signature'),
  };
  return { envelope, whole };
}

const throwMalformed = (member: string): never => {
  throw new SignedConfigError('malformed', `the ${member} of the envelope is missing or invalid`);
};

function text(whole: JsonObject, member: string): string {
  const value = whole[member];
  return typeof value === 'string' ? value : throwMalformed(member);
}

function object(whole: JsonObject, member: string): JsonObject {
  const value = whole[member];
  return isJsonObject(value) ? value : throwMalformed(member);
}

function instant(whole: JsonObject, member: string): string {
  const value = text(whole, member);
  return INSTANT.test(value) && Number.isFinite(Date.parse(value)) ? value : throwMalformed(member);
}

function interval(whole: JsonObject, member: string): string {
  const value = text(whole, member);
  return (parseDuration(value) ?? 0) > 0 ? value : throwMalformed(member);
}

function degradedMode(value: Json): DegradedMode {
  if (!isJsonObject(value)) return throwMalformed('degraded_mode');
  const { policy, grace_period, message, in_force, ...more } = value;
  if (
    (policy !== 'warn' && policy !== 'block_new') ||
    typeof grace_period !== 'string' ||
    parseDuration(grace_period) === undefined ||
    typeof message !== 'string' ||
    (in_force !== undefined && typeof in_force !== 'boolean')
  )
    return throwMalformed('degraded_mode');
  // Keeps other members, since the digest covers them.
  return { policy, grace_period, message, ...(in_force !== undefined && { in_force }), ...more };
}
