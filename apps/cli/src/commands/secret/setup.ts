import { Flags } from '@oclif/core';
import { SecretCommand } from '../../base/secret-command.ts';
import { readSecretsEnvironment } from '@gatehouse/secrets/config';
import type { Setup } from '../../services/secret/setup.ts';

/** `gatehouse secret setup`. */
export default class SecretSetup extends SecretCommand {
  static override summary = 'choose where the secrets of workloads are stored';
  static override description = `The encrypted file needs a password. Commands find it in GATEHOUSE_SECRETS_PASSWORD, in the file that GATEHOUSE_SECRETS_PASSWORD_FILE names, in the storage that --password-storage chooses, and at last by a question on the terminal, in this order.
Without a terminal, the new password comes from GATEHOUSE_SECRETS_PASSWORD, or --key-file creates one. With --change-password it comes from GATEHOUSE_SECRETS_NEW_PASSWORD or --key-file.`;
  static override examples = [
    '<%= config.bin %> secret setup',
    '<%= config.bin %> secret setup --key-file ~/.gatehouse-key   (no terminal, no keyring)',
    'GATEHOUSE_SECRETS_PASSWORD=… <%= config.bin %> secret setup   (headless)',
    '<%= config.bin %> secret setup --change-password',
    '<%= config.bin %> secret setup --provider 1password',
  ];
  static override flags = {
    provider: Flags.option({
      description: 'storage of secrets: encrypted file, 1Password (read only), or environment variables (read only)',
      options: ['encrypted', '1password', 'environment'] as const,
      default: 'encrypted' as const,
    })(),
    'password-storage': Flags.option({
      description:
        'how commands find the password of the encrypted file (default: environment if a variable gives it, key-file with --key-file, else keyring, or prompt without a keyring)',
      options: ['keyring', 'key-file', 'environment', 'prompt'] as const,
    })(),
    'key-file': Flags.string({
      description: 'file with the password; a missing one is created with a random password',
    }),
    'change-password': Flags.boolean({ description: 'encrypt the file with a new password' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(SecretSetup);
    const { setUpSecrets } = await import('../../services/secret/setup.ts');
    const setup = await setUpSecrets(await this.secretsSettings(), {
      provider: flags.provider,
      passwordStorage: flags['password-storage'],
      keyFile: flags['key-file'],
      changePassword: flags['change-password'],
      newPassword: readSecretsEnvironment().newPassword,
    });
    if (flags.json) this.output.json(setup);
    else for (const line of formatSetup(setup)) this.output.say(line);
  }
}

const STORAGE_SENTENCES = {
  keyring: 'Its password is in the keyring of this system',
  'key-file': 'Its password is in the key file; without that file the secrets are lost',
  environment: 'Commands need its password in GATEHOUSE_SECRETS_PASSWORD',
  prompt: 'Commands ask for its password; GATEHOUSE_SECRETS_PASSWORD gives it without a terminal',
} as const;

function formatSetup({ provider, status, file, password_storage: storage }: Setup): string[] {
  if (file === undefined || storage === undefined) {
    return [`Secrets are read from ${provider === '1password' ? '1Password' : 'variables GATEHOUSE_SECRET_<NAME>'}`];
  }
  const done = status === 'password changed' ? `The password of ${file} is changed` : `Secrets are stored in ${file}`;
  return [done, STORAGE_SENTENCES[storage]];
}
