import type { RpcMessage } from '@gatehouse/mcp/json-rpc';

/**
 * Sees one message of an answer. It never throws.
 * @returns the message for the client: the same object, or another one in its place
 */
export type MessageReader = (message: RpcMessage) => RpcMessage;

/**
 * The passes that read the messages of one answer: of a JSON body, or of each event of a stream.
 * The innermost pass is first, so that outer passes see what the client gets.
 */
export class AnswerReaders {
  /** Whether the client may only get messages that the readers have seen; they can replace them. */
  isRequired = false;
  private readonly readers: MessageReader[] = [];

  /** Adds the reader of a pass. Inner passes add theirs after outer ones. */
  add(reader: MessageReader, { required }: { required: boolean }): void {
    this.readers.push(reader);
    this.isRequired ||= required;
  }

  /** @returns the message for the client */
  read(message: RpcMessage): RpcMessage {
    return this.readers.reduceRight((current, reader) => reader(current), message);
  }
}
