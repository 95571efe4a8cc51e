import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The credential of a provider could not be read. The message never holds a secret. */
export class ProviderCredentialError extends GatehouseError {
  override readonly code = 'provider_credential_unavailable';
  constructor(
    message: string,
    /** Whether the source gave no definite response. */
    readonly isOutage: boolean,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }
}
