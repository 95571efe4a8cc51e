import { hash, type webcrypto } from 'node:crypto';
import { canonicalBytes, canonicalText, type Json, type JsonObject } from './canonical.ts';
import type { SigningKey } from './sign.ts';

/** A link of a chain: a record of a tool call in its place. */
export interface ChainLink {
  /** `<gateway_id>:<yyyy-mm>`, the UTC month in which the record arrived. */
  chain_id: string;
  /** From 1 on, without gaps. */
  sequence: number;
  /** `record_hash` of the link before; empty for the first one. */
  prev_hash: string;
  /** The record as readers get it, whatever its members. */
  usage: JsonObject;
}

/** What is said of a chain: at `sequence` its hash is `chain_hash`. */
export interface UnsignedCheckpoint {
  chain_id: string;
  sequence: number;
  /** `record_hash` of the link at `sequence`. */
  chain_hash: string;
  hash_alg: string;
  sig_alg: string;
  key_id: string;
  signed_at: string;
}

/**
 * A checkpoint with its signature: ES256 (RFC 7518 §3.4), base64url, over the RFC 8785 form of
 * everything else.
 */
export interface Checkpoint extends UnsignedCheckpoint {
  signature: string;
}

/**
 * Says that a record was the last one of its gateway at `signed_at`; sequence 0 where there was
 * none.
 */
export interface ChainHead extends UnsignedCheckpoint {
  statement: 'head';
  signature: string;
}

/**
 * Says after which record a chain begins; the previous chain is empty text, 0 and empty text where
 * none before it is kept.
 */
export interface ChainStart extends Omit<UnsignedCheckpoint, 'sequence' | 'chain_hash'> {
  statement: 'chain_start';
  previous_chain_id: string;
  previous_sequence: number;
  previous_hash: string;
  signature: string;
}

/** How links are hashed and checkpoints are signed. */
export const ALGORITHMS = { hash_alg: 'SHA-256', sig_alg: 'ES256' } as const;

const ES256 = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** The chain of what arrives at a time. @param arrivedAt as `Date` writes it in UTC */
export const chainIdOf = (gatewayId: string, arrivedAt: string): string => `${gatewayId}:${arrivedAt.slice(0, 7)}`;

/** The canonical text of a record: made once, however often its place in the chain is tried. */
export const usageText = (usage: object): string => canonicalText(usage as Json);

/**
 * `record_hash`: lower-case hexadecimal SHA-256 over the RFC 8785 form of `{chain_id, prev_hash,
 * sequence, usage}`.
 * @param usage canonical text of the record
 */
export const recordHash = ({ chain_id, prev_hash, sequence }: Omit<ChainLink, 'usage'>, usage: string): string =>
  hash(
    'sha256',
    // The members are in their canonical order already, so that the record need not be written a
    // second time.
    `{"chain_id":${JSON.stringify(chain_id)},"prev_hash":${JSON.stringify(prev_hash)},"sequence":${JSON.stringify(sequence)},"usage":${usage}}`,
  );

/** Signs a checkpoint. */
export async function signCheckpoint(
  place: Pick<UnsignedCheckpoint, 'chain_id' | 'sequence' | 'chain_hash' | 'signed_at'>,
  { kid, privateKey }: SigningKey,
): Promise<Checkpoint> {
  return signed({ ...place, ...ALGORITHMS, key_id: kid }, privateKey);
}

/** Signs the end of what a gateway has recorded so far. */
export const signHead = (
  place: Pick<ChainHead, 'chain_id' | 'sequence' | 'chain_hash' | 'signed_at'>,
  { kid, privateKey }: SigningKey,
): Promise<ChainHead> => signed({ ...place, statement: 'head', ...ALGORITHMS, key_id: kid }, privateKey);

/** Signs the beginning of a chain. */
export const signStart = (
  place: Pick<ChainStart, 'chain_id' | 'previous_chain_id' | 'previous_sequence' | 'previous_hash' | 'signed_at'>,
  { kid, privateKey }: SigningKey,
): Promise<ChainStart> => signed({ ...place, statement: 'chain_start', ...ALGORITHMS, key_id: kid }, privateKey);

async function signed<T extends object>(
  unsigned: T,
  privateKey: webcrypto.CryptoKey,
): Promise<T & { signature: string }> {
  const signature = await globalThis.crypto.subtle.sign(ES256, privateKey, signedPart(unsigned));
  return { ...unsigned, signature: Buffer.from(signature).toString('base64url') };
}

/**
 * Whether a key has signed a checkpoint or another statement; false for what is no signature in
 * base64url too.
 */
export async function isSignedBy(
  { signature, ...unsigned }: JsonObject & { signature: string },
  key: webcrypto.CryptoKey,
): Promise<boolean> {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.length !== 64 || bytes.toString('base64url') !== signature) return false;
  return globalThis.crypto.subtle.verify(ES256, key, bytes, signedPart(unsigned));
}

const signedPart = (unsigned: object) => Buffer.from(canonicalBytes(unsigned as Json));
