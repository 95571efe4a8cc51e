import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A place in a text; lines and columns count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const MAX_REASON = 500;

/** A file cannot be used. */
export class FileProblemError extends GatehouseError {
  override readonly code = 'invalid_file';

  constructor(
    /** A sentence without its subject, the file, such as `is larger than 1 MiB`. */
    readonly reason: string,
    readonly position?: TextPosition,
    cause?: unknown,
  ) {
    super(`The file ${reason}.`, { cause });
  }

  /** Returns a sentence about a file: what is wrong, where, and what to do. */
  describe(file: string): string {
    const place = this.position === undefined ? '' : `, line ${this.position.line}, column ${this.position.column}`;
    const reason = this.reason.length > MAX_REASON ? `${this.reason.slice(0, MAX_REASON)}…` : this.reason;
    return `${file}${place}: the file ${reason}. Correct it: until then its content has no effect, and the last valid state stays in force.`;
  }
}
