/** The longest line; the rest of a longer one is another line. */
const MAX_LENGTH = 16 * 1024;

/** Cuts a stream into lines. */
export class LineWriter {
  #rest = '';

  constructor(private readonly take: (line: string) => void) {}

  write(data: Buffer): void {
    const lines = `${this.#rest}${data.toString('utf8')}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.take(line);
    if (this.#rest.length > MAX_LENGTH) {
      this.take(this.#rest);
      this.#rest = '';
    }
  }
}
