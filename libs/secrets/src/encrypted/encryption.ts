import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { decryptBytes, encryptBytes } from '@gatehouse/envelope/aes-gcm';
import { bindHeader, createDamageError, type FileHeader, type ParsedFile } from './file-format.ts';

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const ID_BYTES = 9;
/** Memory of scrypt beside its vectors. */
const MEMORY_MARGIN_BYTES = 1024 * 1024;

/** The scrypt parameters of new files: 32 MiB, about 0.1 s (docs/decisions/0220). */
export const SCRYPT_PARAMETERS = { n: 2 ** 15, r: 8, p: 1 } as const;

/** The keys of one password and one header. */
export interface FileKeys {
  readonly encryption: Buffer;
  readonly check: Buffer;
}

/** Derives the keys of a file from its password (scrypt, RFC 7914), normalized as NFC. */
export async function deriveKeys({ scrypt: { n, r, p }, salt }: FileHeader, password: string): Promise<FileKeys> {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
  const options = { N: n, r, p, maxmem: 256 * n * r + 128 * r * p + MEMORY_MARGIN_BYTES };
  const keys = await derive(password.normalize('NFC'), Buffer.from(salt, 'base64url'), 2 * KEY_BYTES, options);
  return { encryption: keys.subarray(0, KEY_BYTES), check: keys.subarray(KEY_BYTES) };
}

/** The header of a file with a new password: a new id and a new salt. */
export function createHeader(storage: Pick<FileHeader, 'password_storage' | 'key_file'>): FileHeader {
  return { id: randomBytes(ID_BYTES).toString('base64url'), ...storage, ...createSalt() };
}

/** Returns the header, with the parameters of new files and a new salt if its own are weaker. */
export function strengthenHeader(header: FileHeader): FileHeader {
  const { n, r, p } = header.scrypt;
  const present = SCRYPT_PARAMETERS;
  return n * r * p >= present.n * present.r * present.p ? header : { ...header, ...createSalt() };
}

const createSalt = (): Pick<FileHeader, 'scrypt' | 'salt'> => ({
  scrypt: { ...SCRYPT_PARAMETERS },
  salt: randomBytes(SALT_BYTES).toString('base64url'),
});

const computeKeyCheck = (header: FileHeader, { check }: FileKeys): Buffer =>
  createHmac('sha256', check).update(bindHeader(header)).digest();

/** Whether the keys come from the password of the file. */
export function hasRightKeys({ header, keyCheck }: ParsedFile, keys: FileKeys): boolean {
  const stored = Buffer.from(keyCheck, 'base64url');
  const computed = computeKeyCheck(header, keys);
  return stored.length === computed.length && timingSafeEqual(stored, computed);
}

/** Encrypts secrets under a header. */
export function sealSecrets(header: FileHeader, keys: FileKeys, secrets: ReadonlyMap<string, string>): ParsedFile {
  const plaintext = Buffer.from(JSON.stringify({ secrets: Object.fromEntries(secrets) }));
  try {
    const sealed = encryptBytes(keys.encryption, plaintext, bindHeader(header)).toString('base64url');
    return { header, keyCheck: computeKeyCheck(header, keys).toString('base64url'), sealed };
  } finally {
    plaintext.fill(0);
  }
}

/**
 * Decrypts the secrets of a file with its right keys.
 * @param path for messages
 * @throws SecretsError (secrets_damaged)
 */
export function openSecrets({ header, sealed }: ParsedFile, keys: FileKeys, path: string): Map<string, string> {
  const plaintext = decryptBytes(keys.encryption, Buffer.from(sealed, 'base64url'), bindHeader(header));
  if (plaintext === undefined) throw createDamageError(path, 'its encrypted part was changed');
  try {
    const { secrets } = JSON.parse(plaintext.toString('utf8')) as { secrets: Record<string, string> };
    return new Map(Object.entries(secrets));
  } finally {
    plaintext.fill(0);
  }
}
