import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SecretsError } from '../secrets-error.ts';

/** The version of the format that this code writes. */
const VERSION = 1;

/** The ways in which a command finds the password. */
export const PASSWORD_STORAGES = ['keyring', 'key-file', 'environment', 'prompt'] as const;

/** The way in which a command finds the password when no variable names another one. */
export type PasswordStorage = (typeof PASSWORD_STORAGES)[number];

/**
 * The readable part of the encrypted file. Encryption binds it, so that a change of it is noticed.
 */
const headerSchema = z.strictObject({
  /** Identifies the password: a new password has a new id. */
  id: z.string().regex(/^[\w-]{8,64}$/),
  password_storage: z.enum(PASSWORD_STORAGES),
  /** Absolute path of the key file; present for the storage `key-file` only. */
  key_file: z.string().min(1).optional(),
  /** The parameters of scrypt (RFC 7914). Memory is 128 * n * r bytes. */
  scrypt: z
    .strictObject({
      n: z
        .int()
        .min(2)
        .max(2 ** 20),
      r: z.int().min(1).max(32),
      p: z.int().min(1).max(16),
    })
    .refine(({ n, r }) => Number.isInteger(Math.log2(n)) && 128 * n * r <= 2 ** 30),
  /** base64url, 16 bytes or more. */
  salt: z.string().regex(/^[\w-]{22,128}$/),
});

/** See {@link headerSchema}. */
export type FileHeader = z.infer<typeof headerSchema>;

const fileSchema = z.strictObject({
  gatehouse_secrets: z.literal(VERSION),
  header: headerSchema,
  /** Only the right password gives the same check: a wrong one differs from damage. base64url. */
  key_check: z.string(),
  /** SHA-256 of header and key check, base64url. A wrong password does not change it. */
  checksum: z.string(),
  /** The secrets as JSON, encrypted by AES-256-GCM. base64url of nonce, ciphertext and tag. */
  sealed: z.string(),
});

/** The parts of an encrypted file whose header is intact. */
export interface ParsedFile {
  readonly header: FileHeader;
  readonly keyCheck: string;
  readonly sealed: string;
}

/** The header as a text for the encryption: equal headers have equal texts. */
export function bindHeader({ id, password_storage, key_file, scrypt: { n, r, p }, salt }: FileHeader): string {
  return JSON.stringify(['gatehouse secrets', VERSION, id, password_storage, key_file ?? null, n, r, p, salt]);
}

const computeChecksum = (header: FileHeader, keyCheck: string): string =>
  createHash('sha256')
    .update(JSON.stringify([bindHeader(header), keyCheck]))
    .digest('base64url');

/** The text of an encrypted file. */
export function formatFile({ header, keyCheck, sealed }: ParsedFile): string {
  const file: z.infer<typeof fileSchema> = {
    ...{ gatehouse_secrets: VERSION, header, key_check: keyCheck },
    ...{ checksum: computeChecksum(header, keyCheck), sealed },
  };
  return `${JSON.stringify(file)}\n`;
}

/**
 * Parses the text of an encrypted file.
 * @param path for messages
 * @throws SecretsError (secrets_version_newer, secrets_damaged)
 */
export function parseFile(text: string, path: string): ParsedFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw createDamageError(path, text === '' ? 'it is empty' : 'it is not complete');
  }
  const version = z.object({ gatehouse_secrets: z.int().min(1) }).safeParse(content).data?.gatehouse_secrets;
  if (version !== undefined && version > VERSION) {
    throw new SecretsError(
      'secrets_version_newer',
      `A newer gatehouse wrote ${path} (version ${version}); this one reads version ${VERSION}`,
      ['update gatehouse'],
    );
  }
  const file = fileSchema.safeParse(content).data;
  if (file === undefined) throw createDamageError(path, 'its fields are not those of the format');
  if (file.checksum !== computeChecksum(file.header, file.key_check)) {
    throw createDamageError(path, 'its header was changed');
  }
  return { header: file.header, keyCheck: file.key_check, sealed: file.sealed };
}

/** The error for a file that the right password cannot open. */
export function createDamageError(path: string, reason: string): SecretsError {
  return new SecretsError('secrets_damaged', `The secrets in ${path} are damaged: ${reason}`, [
    'restore the file from a backup',
    `move ${path} away, then gatehouse secret setup, and set the secrets again`,
  ]);
}
