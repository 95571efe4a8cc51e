/** The settings from the environment for the secrets of workloads. */
export interface SecretsEnvironment {
  /** GATEHOUSE_SECRETS_PROVIDER: the provider instead of the one of `gatehouse secret setup`. */
  readonly provider: string | undefined;
  /** GATEHOUSE_DISABLE_ENV_FALLBACK=true: names that a provider does not have are missing. */
  readonly hasEnvironmentFallback: boolean;
  /** GATEHOUSE_SECRETS_PASSWORD: the password of the encrypted file. */
  readonly password: string | undefined;
  /** GATEHOUSE_SECRETS_PASSWORD_FILE: a file with this password. */
  readonly passwordFile: string | undefined;
  /** GATEHOUSE_SECRETS_NEW_PASSWORD: the password that `secret setup` sets. */
  readonly newPassword: string | undefined;
  /** All variables: `GATEHOUSE_SECRET_<NAME>`, and those of op. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
}

/** Reads the settings for commands and supervisors that need secrets. */
export function readSecretsEnvironment(env: NodeJS.ProcessEnv = process.env): SecretsEnvironment {
  return {
    provider: env['GATEHOUSE_SECRETS_PROVIDER'] || undefined,
    hasEnvironmentFallback: env['GATEHOUSE_DISABLE_ENV_FALLBACK'] !== 'true',
    password: env['GATEHOUSE_SECRETS_PASSWORD'] || undefined,
    passwordFile: env['GATEHOUSE_SECRETS_PASSWORD_FILE'] || undefined,
    newPassword: env['GATEHOUSE_SECRETS_NEW_PASSWORD'] || undefined,
    environment: env,
  };
}
