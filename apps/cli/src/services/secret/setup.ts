import type { EncryptedSecrets } from '@gatehouse/secrets/encrypted/encrypted-secrets';
import type { PasswordStorage } from '@gatehouse/secrets/encrypted/file-format';
import type { PasswordSources } from '@gatehouse/secrets/encrypted/find-password';
import { readKeyFile } from '@gatehouse/secrets/encrypted/key-file';
import { openEncryptedSecrets, type ProviderName, type SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { storeProviderName } from '@gatehouse/secrets/open-secrets';
import { SecretsError } from '@gatehouse/secrets/secrets-error';
import { UsageError } from '../../errors/cli-error.ts';
import { type ChosenPassword, chooseNewPassword } from './new-password.ts';

/** The flags of `gatehouse secret setup`. */
export interface SetupRequest {
  readonly provider: ProviderName;
  readonly passwordStorage: PasswordStorage | undefined;
  readonly keyFile: string | undefined;
  readonly changePassword: boolean;
  /** GATEHOUSE_SECRETS_NEW_PASSWORD. */
  readonly newPassword: string | undefined;
}

/** The result of a setup. */
export interface Setup {
  readonly provider: ProviderName;
  readonly status: 'created' | 'password changed' | 'opened' | 'selected';
  /** How commands find the password; for the encrypted file only. */
  readonly password_storage?: PasswordStorage;
  /** Path of the encrypted file. */
  readonly file?: string;
}

/**
 * Makes a provider the storage of secrets of this home. The encrypted file is created, opened, or
 * encrypted with a new password; the choice is stored after that.
 */
export async function setUpSecrets(settings: SecretsSettings, request: SetupRequest): Promise<Setup> {
  const { provider } = request;
  if (provider !== 'encrypted') {
    const hasPasswordFlag =
      request.changePassword || request.passwordStorage !== undefined || request.keyFile !== undefined;
    if (hasPasswordFlag) throw new UsageError(`Flags about a password cannot be used with --provider ${provider}`);
    storeProviderName(settings.home, provider);
    return { provider, status: 'selected' };
  }
  const secrets = openEncryptedSecrets(settings);
  const status = await setUpFile(secrets, settings, request);
  storeProviderName(settings.home, provider);
  return { provider, status, password_storage: secrets.readPasswordStorage(), file: secrets.path };
}

async function setUpFile(
  secrets: EncryptedSecrets,
  { passwords }: SecretsSettings,
  { passwordStorage: storage, keyFile, changePassword, newPassword }: SetupRequest,
): Promise<Setup['status']> {
  if (changePassword) {
    // The present password is checked first, so that a new one is not asked for in vain.
    await secrets.list();
    const variable = 'GATEHOUSE_SECRETS_NEW_PASSWORD';
    const chosen = await chooseNewPassword({ storage, keyFile, fromEnvironment: newPassword, variable });
    await withKeyringFallback(chosen, (password) => secrets.changePassword(password));
    return 'password changed';
  }
  if (secrets.exists()) {
    if (storage !== undefined || keyFile !== undefined) {
      throw new UsageError(`There is already ${secrets.title}`, [
        'add --change-password   to encrypt it with a new password',
      ]);
    }
    await secrets.list();
    return 'opened';
  }
  const fromEnvironment = readEnvironmentPassword(passwords);
  if (fromEnvironment !== undefined && keyFile !== undefined) {
    throw new UsageError('--key-file is not used while a variable gives another password of the secrets', [
      'unset GATEHOUSE_SECRETS_PASSWORD GATEHOUSE_SECRETS_PASSWORD_FILE',
    ]);
  }
  const chosen = await chooseNewPassword({ storage, keyFile, fromEnvironment, variable: 'GATEHOUSE_SECRETS_PASSWORD' });
  await withKeyringFallback(chosen, (password) => secrets.create(password));
  return 'created';
}

/** The password that each command with the same environment finds. */
function readEnvironmentPassword({ password, passwordFile }: PasswordSources): string | undefined {
  return password ?? (passwordFile === undefined ? undefined : readKeyFile(passwordFile));
}

/** Without a keyring, commands ask for the password, unless the user has chosen the keyring. */
async function withKeyringFallback(
  chosen: ChosenPassword,
  apply: (password: ChosenPassword) => Promise<void>,
): Promise<void> {
  try {
    await apply(chosen);
  } catch (error) {
    const isUnavailable = error instanceof SecretsError && error.code === 'keyring_unavailable';
    if (!isUnavailable || !chosen.mayPromptInstead) throw error;
    await apply({ ...chosen, storage: 'prompt' });
  }
}
