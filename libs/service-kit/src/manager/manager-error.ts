import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * The enterprise manager refused a request, failed, or sent a response that breaks its contract.
 */
export class ManagerError extends GatehouseError {
  override readonly code = 'manager_request_failed';
  constructor(
    /** Undefined without a response, or for one that breaks the contract. */
    readonly status: number | undefined,
    message: string,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }

  /**
   * Whether the enterprise manager gave no definite response, so that a later one may differ. All
   * other errors are refusals.
   */
  get isOutage(): boolean {
    return this.status === undefined || this.status >= 500 || this.status === 429;
  }
}
