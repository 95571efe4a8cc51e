import { hash, type webcrypto } from 'node:crypto';
import { canonicalBytes, canonicalText, type Json, type JsonObject } from './canonical.ts';
import type { SigningKey } from './sign.ts';

/** A link of a chain: a tool-call record and its place. */
export interface ChainLink {
  /** `<gateway_id>:<yyyy-mm>`, the UTC month in which the record arrived. */
  chain_id: string;
  /** From 1, without gaps. */
  sequence: number;
  /** `record_hash` of the previous link; empty for the first one. */
  prev_hash: string;
  /** The record with all its members. */
  usage: JsonObject;
}

/** States that the hash of a chain at `sequence` is `chain_hash`. */
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
 * A signed checkpoint: ES256 (RFC 7518 §3.4), base64url, over the RFC 8785 form of all other
 * members.
 */
export interface Checkpoint extends UnsignedCheckpoint {
  signature: string;
}

/**
 * States that a record was the last one of its gateway at `signed_at`; sequence 0 without records.
 */
export interface ChainHead extends UnsignedCheckpoint {
  statement: 'head';
  signature: string;
}

/**
 * States the record before a chain. Without a stored earlier chain the previous chain is '', 0 and
 * ''.
 */
export interface ChainStart extends Omit<UnsignedCheckpoint, 'sequence' | 'chain_hash'> {
  statement: 'chain_start';
  previous_chain_id: string;
  previous_sequence: number;
  previous_hash: string;
  signature: string;
}

/** The algorithms of hashes and signatures. */
export const ALGORITHMS = { hash_alg: 'SHA-256', sig_alg: 'ES256' } as const;

const ES256 = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** The chain of records that arrive at a time. @param arrivedAt as `Date` writes it in UTC */
export const formatChainId = (gatewayId: string, arrivedAt: string): string => `${gatewayId}:${arrivedAt.slice(0, 7)}`;

/** The canonical text of a record, which is independent of its place in the chain. */
export const usageText = (usage: object): string => canonicalText(usage as Json);

/**
 * `record_hash`: lower-case hexadecimal SHA-256 over the RFC 8785 form of `{chain_id, prev_hash,
 * sequence, usage}`.
 * @param usage canonical text of the record
 */
export const recordHash = ({ chain_id, prev_hash, sequence }: Omit<ChainLink, 'usage'>, usage: string): string =>
  hash(
    'sha256',
    // The members are in canonical order already.
    `{"chain_id":${JSON.stringify(chain_id)},"prev_hash":${JSON.stringify(prev_hash)},"sequence":${JSON.stringify(sequence)},"usage":${usage}}`,
  );

/** Signs a checkpoint. */
export async function signCheckpoint(
  place: Pick<UnsignedCheckpoint, 'chain_id' | 'sequence' | 'chain_hash' | 'signed_at'>,
  { kid, privateKey }: SigningKey,
): Promise<Checkpoint> {
  return signStatement({ ...place, ...ALGORITHMS, key_id: kid }, privateKey);
}

/** Signs the current end of a gateway's records. */
export const signHead = (
  place: Pick<ChainHead, 'chain_id' | 'sequence' | 'chain_hash' | 'signed_at'>,
  { kid, privateKey }: SigningKey,
): Promise<ChainHead> => signStatement({ ...place, statement: 'head', ...ALGORITHMS, key_id: kid }, privateKey);

/** Signs the beginning of a chain. */
export const signStart = (
  place: Pick<ChainStart, 'chain_id' | 'previous_chain_id' | 'previous_sequence' | 'previous_hash' | 'signed_at'>,
  { kid, privateKey }: SigningKey,
): Promise<ChainStart> => signStatement({ ...place, statement: 'chain_start', ...ALGORITHMS, key_id: kid }, privateKey);

async function signStatement<T extends object>(
  unsigned: T,
  privateKey: webcrypto.CryptoKey,
): Promise<T & { signature: string }> {
  const signature = await globalThis.crypto.subtle.sign(ES256, privateKey, signedPart(unsigned));
  return { ...unsigned, signature: Buffer.from(signature).toString('base64url') };
}

/** Whether a key has signed a statement; false for an invalid base64url signature. */
export async function isSignedBy(
  { signature, ...unsigned }: JsonObject & { signature: string },
  key: webcrypto.CryptoKey,
): Promise<boolean> {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.length !== 64 || bytes.toString('base64url') !== signature) return false;
  return globalThis.crypto.subtle.verify(ES256, key, bytes, signedPart(unsigned));
}

const signedPart = (unsigned: object) => Buffer.from(canonicalBytes(unsigned as Json));
