import { base64url } from 'jose';
import type { Json, JsonObject } from './canonical.ts';
import { SIGNATURE_TYPE } from './envelope.ts';
import { SignedConfigError } from './errors.ts';
import { parseStrictJson } from './strict-json.ts';

/** The parts of a detached JWS. */
export interface DetachedSignature {
  /** The protected header as received. */
  protected: string;
  signature: string;
  /** The parsed protected header, not yet checked. */
  members: JsonObject;
}

/** The exact members of an envelope's protected header. */
const MEMBERS = new Set(['alg', 'kid', 'typ', 'aud', 'sub', 'iat', 'b64', 'crit']);
/** Members that contain or locate a key (RFC 7515 §4.1.2 to 4.1.8). */
const KEY_MEMBERS = ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'x5t#S256'];

/**
 * Splits `<protected header>..<signature>`.
 * @throws SignedConfigError malformed, duplicate_member
 */
export function readHeader(signature: string): DetachedSignature {
  const [header = '', payload, value = '', ...more] = signature.split('.');
  if (payload !== '' || more.length > 0)
    throw new SignedConfigError('malformed', 'the signature is not a detached JWS (RFC 7515 appendix F)');
  const members = parseStrictJson(decodeBase64url(header), 'the header of the signature');
  decodeBase64url(value);
  if (members === null || typeof members !== 'object' || Array.isArray(members))
    throw new SignedConfigError('malformed', 'the header of the signature is not an object');
  return { protected: header, signature: value, members };
}

/** Decodes canonical base64url: no padding, no stray bits (RFC 4648 §3.5). */
function decodeBase64url(text: string): Uint8Array {
  const bytes = /^[\w-]+$/.test(text) ? base64url.decode(text) : undefined;
  if (bytes === undefined || base64url.encode(bytes) !== text)
    throw new SignedConfigError('malformed', 'the signature is not base64url');
  return bytes;
}

/**
 * Checks the header before a key is looked up: the verifier chooses the algorithm, not the
 * signature (RFC 8725 §3.1).
 * @throws SignedConfigError unsupported_algorithm, unsupported_header, malformed
 */
export function checkHeader(members: JsonObject): { kid: string; aud: string; sub: string } {
  if (members['alg'] !== 'ES256')
    throw new SignedConfigError('unsupported_algorithm', 'the envelope is not signed with ES256');
  const own = KEY_MEMBERS.find((name) => name in members);
  if (own !== undefined)
    throw new SignedConfigError('unsupported_algorithm', `the header of the signature contains its own key (${own})`);
  const { b64, crit, typ, kid, aud, sub } = members;
  if (b64 !== false || !isB64Only(crit))
    throw new SignedConfigError(
      'unsupported_header',
      'the signature must be unencoded, with b64 as its only critical header member (RFC 7797)',
    );
  if (typ !== SIGNATURE_TYPE || Object.keys(members).some((name) => !MEMBERS.has(name)))
    throw new SignedConfigError(
      'unsupported_header',
      'the header of the signature has an unknown typ or an unknown member',
    );
  if (typeof kid !== 'string' || typeof aud !== 'string' || typeof sub !== 'string')
    throw new SignedConfigError('malformed', 'the header of the signature lacks kid, aud or sub');
  return { kid, aud, sub };
}

const isB64Only = (crit: Json | undefined): boolean => Array.isArray(crit) && crit.length === 1 && crit[0] === 'b64';
