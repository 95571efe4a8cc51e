const MAX_LENGTH = 16 * 1024;

/** Cuts a stream into lines. The rest of a line that is too long is another line. */
export class LineWriter {
  #rest = '';

  constructor(
    private readonly take: (line: string) => void,
    private readonly maxLength = MAX_LENGTH,
  ) {}

  write(data: Buffer): void {
    const lines = `${this.#rest}${data.toString('utf8')}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.take(line);
    if (this.#rest.length > this.maxLength) {
      this.take(this.#rest);
      this.#rest = '';
    }
  }
}
