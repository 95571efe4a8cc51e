import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { decodeText, readYamlFile } from '@gatehouse/yaml-files/file-text';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Interval of looks at the file. */
const LOOK_MS = 250;

/** Receives the text of a changed file, or the reason why it cannot be read. */
export type FileListener = (content: string | FileProblemError) => Promise<void>;

/**
 * Follows one file. A change is taken when two looks find the same state, because editors and
 * copies write in several steps. Looks also find changes without an event of the file system:
 * replaced symbolic links, as in files that Kubernetes mounts, and files of network file systems.
 */
export class FollowedFile {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private taken: string | undefined;

  constructor(private readonly path: string) {}

  /** Reads the file now. @throws FileProblemError */
  async read(): Promise<string> {
    this.taken = await this.look();
    return this.readText();
  }

  /** Calls the listener after each change until `stop`. */
  follow(listener: FileListener): void {
    this.running ??= this.run(listener);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(listener: FileListener): Promise<void> {
    const { signal } = this.stopping;
    for (let seen = this.taken; ;) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const found = await this.look();
      if (found === seen && found !== this.taken) {
        this.taken = found;
        await listener(this.tryToRead());
      }
      seen = found;
    }
  }

  /** The state of the file: it differs after each change. */
  private async look(): Promise<string> {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = await stat(this.path, { bigint: true });
      return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    } catch (error) {
      return `no file: ${(error as NodeJS.ErrnoException).code ?? ''}`;
    }
  }

  private tryToRead(): string | FileProblemError {
    try {
      return this.readText();
    } catch (error) {
      if (error instanceof FileProblemError) return error;
      throw error;
    }
  }

  private readText(): string {
    try {
      return decodeText(readYamlFile(this.path).bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new FileProblemError('does not exist', undefined, error);
    }
  }
}
