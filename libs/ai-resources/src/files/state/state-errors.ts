import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The state of a folder cannot be opened, read or written. */
export class StateUnusableError extends GatehouseError {
  override readonly code = 'resource_state_unusable';

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The state of the resources in ${path} cannot be used: ${reason}.`, { cause });
  }
}

/** Another process writes to the folder for too long. */
export class StateBusyError extends GatehouseError {
  override readonly code = 'resource_state_busy';

  constructor(path: string, cause: unknown) {
    super(`Another process has been writing to the resources in ${path} for too long.`, { cause, retryAfterMs: 1_000 });
  }
}
