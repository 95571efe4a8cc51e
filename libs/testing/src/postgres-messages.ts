/**
 * One message of the frontend/backend protocol 3.0 (PostgreSQL documentation, "Message Flow"), with
 * its bytes as they were sent.
 */
export interface WireMessage {
  /** Type byte as a letter; empty for the first message of a connection, which has none. */
  type: string;
  body: Buffer;
  bytes: Buffer;
}

/** Cuts a stream of one direction into messages, wherever its chunks end. */
export class MessageReader {
  private rest: Buffer = Buffer.alloc(0);

  /**
   * @param untyped how many messages without a type byte come first: 1 from a client, 0 from a
   * server
   */
  constructor(private untyped: number) {}

  /** The messages that are complete now. */
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
 * Knows which statement the messages of a client are about: simple queries, and prepared ones by
 * the text they were prepared with.
 */
export class StatementNames {
  private readonly prepared = new Map<string, string>();

  /** The text of the statement that a message names, or undefined for messages that name none. */
  textOf({ type, body }: WireMessage): string | undefined {
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
