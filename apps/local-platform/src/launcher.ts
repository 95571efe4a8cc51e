import type { PlatformFile } from './platform-file.ts';

/** A message of the platform to the command that started it. */
type PlatformMessage =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'ready'; readonly platform: PlatformFile }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/**
 * The command that started this platform, `gatehouse up`, at the other end of an IPC channel. It
 * waits until the platform is ready. Then it sends any message, which releases the platform, or it
 * stays and owns the platform until its end.
 */
export class Launcher {
  #isReleased = false;

  /** @returns undefined when no command waits, as with `npm start` */
  static find(): Launcher | undefined {
    return process.send === undefined ? undefined : new Launcher();
  }

  /** Calls `stop` when the command has ended and has not released the platform. */
  watch(stop: () => void): void {
    process.once('message', () => {
      this.#isReleased = true;
      process.disconnect();
    });
    process.once('disconnect', () => {
      if (!this.#isReleased) stop();
    });
  }

  /** Resolves when the message is on its way, also when the command has ended. */
  send(message: PlatformMessage): Promise<void> {
    return new Promise((resolve) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
      else resolve();
    });
  }
}
