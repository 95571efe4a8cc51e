import type { RpcMessage } from '@gatehouse/mcp/json-rpc';

/**
 * Sees one message of an answer. It never throws.
 * @returns the message for the client: the same object, or another one in its place
 */
export type MessageReader = (message: RpcMessage) => RpcMessage;

/** Sees the messages of an answer and replaces none. It never throws. */
export interface MessageObserver {
  observe(message: RpcMessage): void;
  /** Whether the observer needs the message of a JSON body. Without it, it needs all. */
  readonly needs?: (body: Buffer) => boolean;
}

/**
 * The passes that read the messages of one answer: of a JSON body, or of each event of a stream.
 * The innermost pass is first, so that outer passes see what the client gets.
 */
export class AnswerReaders {
  /** Whether the client may only get messages that the readers have seen; they can replace them. */
  isRequired = false;
  /** Whether no reader can replace a message. Bytes then do not wait for the readers. */
  isObserving = true;
  private readonly readers: MessageReader[] = [];
  private readonly needs: (((body: Buffer) => boolean) | undefined)[] = [];

  /** Adds the reader of a pass. Inner passes add theirs after outer ones. */
  add(reader: MessageReader, { required }: { required: boolean }): void {
    this.readers.push(reader);
    this.isRequired ||= required;
    this.isObserving = false;
  }

  /** Adds the observer of a pass, as a reader that returns each message. */
  addObserver(observer: MessageObserver): void {
    this.readers.push((message) => {
      observer.observe(message);
      return message;
    });
    this.needs.push(observer.needs);
  }

  /** Whether an observer needs the message of a JSON body. */
  needsMessage(body: Buffer): boolean {
    return this.needs.some((needs) => needs === undefined || needs(body));
  }

  /** @returns the message for the client */
  read(message: RpcMessage): RpcMessage {
    return this.readers.reduceRight((current, reader) => reader(current), message);
  }
}
