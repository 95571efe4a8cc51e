import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A configuration file of a client that cannot be changed. It stays as it is. */
export class ClientFileError extends GatehouseError {
  override readonly code = 'client_file';

  /** @param message one sentence with the file, and the position where one is known */
  constructor(message: string, cause?: unknown) {
    super(message, { cause, expose: true });
  }
}

/** The text of a configuration file cannot be changed safely. `ClientFileError` names the file. */
export class ConfigTextError extends GatehouseError {
  override readonly code = 'client_config_text';

  /**
   * @param reason the end of a sentence that begins with the file
   * @param position where one is known; line and column begin with 1
   */
  constructor(
    readonly reason: string,
    readonly position?: { readonly line: number; readonly column: number },
  ) {
    super(reason, { expose: true });
  }
}

/** Returns the position of an offset in a text. */
export function getPosition(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
