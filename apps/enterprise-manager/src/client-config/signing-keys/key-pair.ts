import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { PublicPoint } from './signing-key.ts';

/** A pair as it was made: the private half as JSON for sealing. */
export type NewPair = PublicPoint & { kid: string; privateJwk: Uint8Array };

/**
 * Makes a pair for ES256 (RFC 7518 §3.4). Its id is its thumbprint (RFC 7638): two keys never have
 * the same.
 */
export async function makePair(): Promise<NewPair> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { kty, crv, x = '', y = '', d = '' } = await exportJWK(privateKey);
  if (kty !== 'EC' || crv !== 'P-256') throw new Error('an ES256 key is on P-256');
  const kid = await calculateJwkThumbprint({ kty, crv, x, y });
  return { kid, x, y, privateJwk: Buffer.from(JSON.stringify({ kty, crv, x, y, d })) };
}

/** The private half, to sign with; it cannot be exported again. */
export async function privateKeyOf(privateJwk: Uint8Array): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(Buffer.from(privateJwk).toString()) as Record<string, string>, 'ES256', {
    extractable: false,
  });
  if (key instanceof Uint8Array) throw new Error('an ES256 key is not symmetric');
  return key;
}
