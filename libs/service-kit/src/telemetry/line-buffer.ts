import type { DestinationStream } from 'pino';

/** Lowest level that is written at once (pino: 40 is a warning). */
const URGENT = 40;
/** Length of text that is written within a turn, in UTF-16 units. */
const FULL = 64 * 1024;

/**
 * Writes the log lines of one turn of the event loop with one system call. Warnings and errors are
 * written at once, with all earlier lines. The exit of the process writes the remaining lines.
 */
export class LineBuffer implements DestinationStream {
  /** Level of the next line. pino sets it before each write. */
  lastLevel = URGENT;
  private readonly out: DestinationStream;
  private text = '';

  /** @param out writes synchronously */
  constructor(out: DestinationStream) {
    this.out = out;
    // Makes pino set `lastLevel`.
    Object.assign(this, { [Symbol.for('pino.metadata')]: true });
    process.on('exit', () => this.flush());
  }

  write(line: string): void {
    if (this.text === '') setImmediate(() => this.flush());
    this.text += line;
    if (this.lastLevel >= URGENT || this.text.length >= FULL) this.flush();
  }

  private flush(): void {
    if (this.text === '') return;
    const { text } = this;
    this.text = '';
    this.out.write(text);
  }
}
