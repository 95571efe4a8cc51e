import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { PublicPoint } from './signing-key.ts';

/** A new key pair. The private key is a JWK as JSON text, for encryption. */
export type NewKeyPair = PublicPoint & { kid: string; privateJwk: Uint8Array };

/**
 * Creates an ES256 key pair (RFC 7518 §3.4). Its id is its thumbprint (RFC 7638), so it is unique.
 */
export async function createKeyPair(): Promise<NewKeyPair> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { kty, crv, x = '', y = '', d = '' } = await exportJWK(privateKey);
  if (kty !== 'EC' || crv !== 'P-256') throw new Error('an ES256 key must be on the curve P-256');
  const kid = await calculateJwkThumbprint({ kty, crv, x, y });
  return { kid, x, y, privateJwk: Buffer.from(JSON.stringify({ kty, crv, x, y, d })) };
}

/** Imports a private key for signing. The imported key cannot be exported. */
export async function importPrivateKey(privateJwk: Uint8Array): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(Buffer.from(privateJwk).toString()) as Record<string, string>, 'ES256', {
    extractable: false,
  });
  if (key instanceof Uint8Array) throw new Error('an ES256 key must not be symmetric');
  return key;
}
