import type { DestinationStream } from 'pino';

/** Severity from which a line does not wait (pino's numbers: 40 is a warning). */
const URGENT = 40;
/** Text that is written even in the middle of a turn, in UTF-16 units. */
const FULL = 64 * 1024;

/**
 * Gathers log lines and writes those of one turn of the event loop together: a write for each line
 * is a system call for each request, and wakes the reader for each. Warnings and errors are written
 * at once, with all that came before them, and so is the rest when the process ends in any way that
 * it notices.
 */
export class LineBuffer implements DestinationStream {
  /** The severity of the next line, which pino sets before it writes it. */
  lastLevel = URGENT;
  private readonly out: DestinationStream;
  private text = '';

  /** @param out writes synchronously */
  constructor(out: DestinationStream) {
    this.out = out;
    // So pino knows that there is a `lastLevel`.
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
