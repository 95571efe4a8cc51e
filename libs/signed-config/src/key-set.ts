import { type CryptoKey, importJWK } from 'jose';
import { isJsonObject } from './canonical.ts';
import { SignedConfigError } from './errors.ts';

/** The coordinates of a public P-256 key. */
interface PublicKey {
  x: string;
  y: string;
}

/**
 * The public ES256 key of an id. Keys of other types, curves, algorithms and uses are ignored; two
 * keys of one id are an error.
 * @throws SignedConfigError unknown_key; malformed if `jwks` is not a key set
 */
export async function importKey(jwks: unknown, kid: string): Promise<CryptoKey> {
  const found = listKeys(jwks).flatMap((key) => selectPublicKeys(key, kid));
  const [key] = found;
  if (!key || found.length > 1)
    throw new SignedConfigError('unknown_key', 'the key set of the manager must have one usable key with this id');
  try {
    // Only the coordinates count; other members (`d`, `ext`, `key_ops`) are ignored.
    const imported = await importJWK({ kty: 'EC', crv: 'P-256', x: key.x, y: key.y }, 'ES256');
    if (!(imported instanceof Uint8Array)) return imported;
    throw new Error('not a public key');
  } catch (cause) {
    throw new SignedConfigError('unknown_key', 'the key of this id is not a point of P-256', { cause });
  }
}

function listKeys(jwks: unknown): unknown[] {
  const keys = isJsonObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys))
    throw new SignedConfigError('malformed', 'the key set is not a JSON Web Key Set (RFC 7517)');
  return keys;
}

function selectPublicKeys(key: unknown, kid: string): PublicKey[] {
  if (!isJsonObject(key) || key['kid'] !== kid) return [];
  const { kty, crv, x, y, alg = 'ES256', use = 'sig' } = key;
  const fits = kty === 'EC' && crv === 'P-256' && alg === 'ES256' && use === 'sig';
  return fits && typeof x === 'string' && typeof y === 'string' ? [{ x, y }] : [];
}
