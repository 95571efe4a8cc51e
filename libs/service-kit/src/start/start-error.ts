import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * An error of the start that the operator can correct. It is printed as one line, without a stack.
 */
export class StartError extends GatehouseError {
  override readonly code = 'start_refused';
}
