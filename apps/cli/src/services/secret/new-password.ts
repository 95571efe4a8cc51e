import { resolve } from 'node:path';
import type { NewPassword } from '@gatehouse/secrets/encrypted/encrypted-secrets';
import type { PasswordStorage } from '@gatehouse/secrets/encrypted/file-format';
import { createKeyFile, readKeyFile } from '@gatehouse/secrets/encrypted/key-file';
import { UsageError } from '../../errors/cli-error.ts';
import { askNewHidden, canAskHidden } from '../../terminal/hidden-prompt.ts';

/** How a user wants to set the password of the encrypted file. */
export interface PasswordChoice {
  /** `--password-storage`; undefined for the default. */
  readonly storage: PasswordStorage | undefined;
  /** `--key-file`. */
  readonly keyFile: string | undefined;
  /** The password from the environment; undefined to ask for it. */
  readonly fromEnvironment: string | undefined;
  /** The variable of {@link fromEnvironment}, for messages. */
  readonly variable: string;
}

/** A new password, and whether a missing keyring makes commands ask for it. */
export interface ChosenPassword extends NewPassword {
  readonly mayPromptInstead: boolean;
}

/**
 * The new password: that of the key file, which is created if it is missing, of the environment, or
 * one that the user types twice.
 * @throws UsageError without a password
 */
export async function chooseNewPassword(choice: PasswordChoice): Promise<ChosenPassword> {
  const { storage = getDefaultStorage(choice), keyFile, fromEnvironment, variable } = choice;
  if (storage === 'key-file') {
    if (keyFile === undefined) throw new UsageError('--password-storage key-file needs --key-file PATH');
    const path = resolve(keyFile);
    createKeyFile(path);
    return { text: readKeyFile(path), storage, keyFile: path, mayPromptInstead: false };
  }
  if (keyFile !== undefined) throw new UsageError(`--key-file cannot be used with --password-storage ${storage}`);
  if (storage === 'environment' && fromEnvironment === undefined) {
    throw new UsageError(`--password-storage environment needs the password in ${variable}`);
  }
  const text = fromEnvironment ?? (await askForNewPassword(variable));
  return { text, storage, mayPromptInstead: choice.storage === undefined };
}

function getDefaultStorage({ keyFile, fromEnvironment }: PasswordChoice): PasswordStorage {
  if (keyFile !== undefined) return 'key-file';
  return fromEnvironment === undefined ? 'keyring' : 'environment';
}

function askForNewPassword(variable: string): Promise<string> {
  if (canAskHidden()) return askNewHidden('New password of the secrets', 'at least 8 characters');
  throw new UsageError('Without a terminal, the password must come from the environment or from a key file', [
    `${variable} with the password`,
    '--key-file PATH   creates a key file with a random password',
  ]);
}
