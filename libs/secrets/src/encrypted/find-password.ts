import type { Keyring } from '../keyring.ts';
import { SecretsError } from '../secrets-error.ts';
import type { FileHeader } from './file-format.ts';
import { readKeyFile } from './key-file.ts';

/** A password, and where it came from, for messages. */
export interface FoundPassword {
  readonly text: string;
  readonly origin: string;
}

/** Where a command looks for the password of the encrypted file. */
export interface PasswordSources {
  /** GATEHOUSE_SECRETS_PASSWORD. */
  readonly password: string | undefined;
  /** GATEHOUSE_SECRETS_PASSWORD_FILE. */
  readonly passwordFile: string | undefined;
  readonly keyring: () => Promise<Keyring>;
  /** Asks a person for a text that is not shown; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
}

/** The account of a password in the keyring. A new password has a new account. */
export const getKeyringAccount = ({ id }: FileHeader): string => `secrets ${id}`;

/**
 * Finds the password of a file: GATEHOUSE_SECRETS_PASSWORD, then GATEHOUSE_SECRETS_PASSWORD_FILE,
 * then the storage that its header names, then a question on the terminal.
 * @param path of the encrypted file, for messages
 * @throws SecretsError (secrets_password_missing)
 */
export async function findPassword(header: FileHeader, path: string, sources: PasswordSources): Promise<FoundPassword> {
  if (sources.password !== undefined) return { text: sources.password, origin: 'in GATEHOUSE_SECRETS_PASSWORD' };
  const keyFile = sources.passwordFile ?? header.key_file;
  if (keyFile !== undefined) return { text: readKeyFile(keyFile), origin: `in the key file ${keyFile}` };
  const stored = header.password_storage === 'keyring' ? await readKeyring(header, sources) : undefined;
  if (stored !== undefined) return { text: stored, origin: 'in the keyring' };
  if (sources.ask !== undefined) return { text: await sources.ask('Password of the secrets: '), origin: 'you typed' };
  const reason =
    header.password_storage === 'keyring'
      ? 'the keyring does not give it'
      : header.password_storage === 'environment'
        ? 'GATEHOUSE_SECRETS_PASSWORD is not set'
        : 'there is no terminal to ask for it';
  throw new SecretsError('secrets_password_missing', `The password of ${path} is missing: ${reason}`, [
    'GATEHOUSE_SECRETS_PASSWORD with the password',
    'GATEHOUSE_SECRETS_PASSWORD_FILE with the path of a file that holds it',
  ]);
}

/** The password in the keyring; undefined when the keyring is locked, missing or has no entry. */
async function readKeyring(header: FileHeader, { keyring }: PasswordSources): Promise<string | undefined> {
  try {
    return (await keyring()).read(getKeyringAccount(header));
  } catch {
    return undefined;
  }
}
