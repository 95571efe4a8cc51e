import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The stable codes of errors about secrets. */
export type SecretsErrorCode =
  | 'invalid_secret_reference'
  | 'invalid_secret_name'
  | 'secret_not_found'
  | 'secrets_not_set_up'
  | 'secrets_set_up_already'
  | 'secrets_setting_invalid'
  | 'secrets_password_missing'
  | 'secrets_password_wrong'
  | 'secrets_password_too_short'
  | 'secrets_damaged'
  | 'secrets_version_newer'
  | 'secrets_too_large'
  | 'keyring_unavailable'
  | 'operation_not_supported'
  | 'one_password_failed';

/**
 * An error about secrets: one readable sentence without any value, and what to try next.
 */
export class SecretsError extends GatehouseError {
  /** @param tryNext commands or changes that are likely to help */
  constructor(
    override readonly code: SecretsErrorCode,
    message: string,
    readonly tryNext: readonly string[] = [],
    cause?: unknown,
  ) {
    super(message, { cause, expose: true });
  }
}
