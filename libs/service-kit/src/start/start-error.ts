import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A reason not to start that the operator can mend: printed as one line, without a stack. */
export class StartError extends GatehouseError {
  override readonly code = 'start_refused';
}
