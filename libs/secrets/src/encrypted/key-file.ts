import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFileOnce } from '@gatehouse/local-files/atomic-file';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { SecretsError } from '../secrets-error.ts';

const MAX_KEY_FILE_BYTES = 64 * 1024;
const KEY_BYTES = 32;

/**
 * Reads the password of a key file: its text without the newline at its end.
 * @throws SecretsError (secrets_password_missing) when the file cannot be read or is empty
 */
export function readKeyFile(path: string): string {
  let text: string;
  try {
    text = readSmallText(path, MAX_KEY_FILE_BYTES);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : String(cause);
    throw new SecretsError(
      'secrets_password_missing',
      `The key file ${path} cannot be read: ${reason.replace(/^Error: /, '')}`,
      ['restore the key file', 'GATEHOUSE_SECRETS_PASSWORD_FILE with the path of the key file'],
      cause,
    );
  }
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw new SecretsError('secrets_password_missing', `The key file ${path} is empty`);
  return password;
}

/** Creates a key file with a random password of 256 bits; an existing file stays as it is. */
export function createKeyFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createFileOnce(path, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
}
