import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** Another process has the outbox. */
export class OutboxInUseError extends GatehouseError {
  override readonly code = 'usage_outbox_in_use';

  constructor(folder: string) {
    super(
      `Another process uses the usage outbox in ${folder}. Each replica of the AI gateway needs its own folder. Stop the other process, or set USAGE_FOLDER to another folder.`,
    );
  }
}

/** The outbox cannot be opened. */
export class OutboxUnusableError extends GatehouseError {
  override readonly code = 'usage_outbox_unusable';

  constructor(folder: string, reason: string, cause?: unknown) {
    super(
      `The usage outbox in ${folder} cannot be opened: ${reason}. Make the folder writable, or restore it. A file that is moved away takes the usage that was not delivered with it.`,
      { cause },
    );
  }
}

/** The outbox cannot store or read now. */
export class OutboxUnavailableError extends GatehouseError {
  override readonly code = 'usage_outbox_unavailable';

  constructor(reason: string) {
    super(`The usage outbox failed: ${reason}.`, { retryAfterMs: 1_000 });
  }
}
