/**
 * One message of the frontend/backend protocol 3.0 (PostgreSQL documentation, "Message Flow"), with
 * its original bytes.
 */
export interface WireMessage {
  /** Type byte as a letter; empty for the first message of a connection, which has none. */
  type: string;
  body: Buffer;
  bytes: Buffer;
}

/** Splits the stream of one direction into messages, independent of its chunks. */
export class MessageReader {
  private rest: Buffer = Buffer.alloc(0);

  /**
   * @param untyped number of leading messages without a type byte: 1 from a client, 0 from a server
   */
  constructor(private untyped: number) {}

  /** Returns the complete messages. */
  read(chunk: Buffer): WireMessage[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const messages: WireMessage[] = [];
    for (let message = this.next(); message; message = this.next()) messages.push(message);
    return messages;
  }

  private next(): WireMessage | undefined {
    const head = this.untyped > 0 ? 0 : 1;
    if (this.rest.length < head + 4) return undefined;
    const end = head + this.rest.readInt32BE(head);
    if (this.rest.length < end) return undefined;
    const bytes = this.rest.subarray(0, end);
    this.rest = this.rest.subarray(end);
    if (head === 0) this.untyped -= 1;
    return { type: head === 0 ? '' : String.fromCharCode(bytes[0]!), body: bytes.subarray(head + 4), bytes };
  }
}

/** The strings at the beginning of a message's body. */
const strings = (body: Buffer, count: number): string[] => {
  const found: string[] = [];
  for (let at = 0; found.length < count;) {
    const end = body.indexOf(0, at);
    found.push(body.toString('utf8', at, end));
    at = end + 1;
  }
  return found;
};

/**
 * Finds the statement of a client's message: the text of a simple query, or the text from the Parse
 * message of a prepared one.
 */
export class StatementNames {
  private readonly prepared = new Map<string, string>();

  /** The text of a message's statement; undefined for messages without a statement. */
  readStatement({ type, body }: WireMessage): string | undefined {
    if (type === 'Q') return strings(body, 1)[0];
    if (type === 'P') {
      const [name = '', text = ''] = strings(body, 2);
      this.prepared.set(name, text);
      return text;
    }
    if (type === 'B') return this.prepared.get(strings(body, 2)[1] ?? '');
    return undefined;
  }
}
