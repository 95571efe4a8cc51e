import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { getErrorMessage } from '@gatehouse/workloads/errors/workload-error';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** The largest edited text, in bytes. */
const LARGEST = 1024 * 1024;

/**
 * The files of one edit, in a folder of their own that only the user can read. Each round has its
 * own file, so that no text of the user is overwritten.
 */
export class EditFile {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gatehouse-edit-'));
  #round = 0;
  #given = '';
  readonly #stem: string;

  /** @param stem the beginning of the names of the files */
  constructor(stem: string) {
    this.#stem = stem;
  }

  /** Path of the file of this round. */
  get path(): string {
    return join(this.#folder, `${this.#stem}${this.#round <= 1 ? '' : `-${this.#round}`}.yaml`);
  }

  /** Begins a round with the file of a text. */
  write(text: string): void {
    this.#round += 1;
    this.#given = text;
    writeFileSync(this.path, text, { mode: 0o600, flag: 'wx' });
  }

  /** Reads the file of this round. @throws CommandFailedError when it cannot be read */
  read(): string {
    try {
      return readSmallText(this.path, LARGEST);
    } catch (cause) {
      throw new CommandFailedError(`The edited file ${this.path} cannot be read: ${getErrorMessage(cause)}`, [], cause);
    }
  }

  /** Whether the files contain a text of the user. */
  hasUserText(): boolean {
    if (this.#round === 0) return false;
    try {
      return this.#round > 1 || readSmallText(this.path, LARGEST) !== this.#given;
    } catch {
      // The user removed the file, or wrote something that is not a text.
      return existsSync(this.path);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
