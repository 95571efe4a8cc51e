import { EventSplitter } from '@gatehouse/mcp/event-splitter';
import { parseEventFields } from '@gatehouse/mcp/event-fields';
import { encodeEvent } from '@gatehouse/mcp/event-stream';
import { MAX_ANSWER_BYTES, readEvent } from '../upstream/answer-body.ts';
import type { AnswerBody, Exchange } from '../pipeline/exchange.ts';
import type { SseSession } from './sse-session.ts';

const ENDPOINT = Buffer.from('endpoint');

/**
 * The stream of a session of an SSE server. The event `endpoint` is replaced before the client
 * gets the head of the response: a foreign endpoint is an error. All other events keep their bytes
 * unless a pass replaces them.
 */
export class StreamBody implements AnswerBody {
  private readonly splitter = new EventSplitter(MAX_ANSWER_BYTES, 'all');
  private held: Uint8Array[] = [];
  private isOpen = false;

  /**
   * @param exchange the one of the GET
   * @param replaceEndpoint takes the announced endpoint; returns the one for the client
   */
  constructor(
    private readonly exchange: Exchange,
    private readonly session: SseSession,
    private readonly replaceEndpoint: (announced: string) => string,
  ) {}

  push(chunk: Buffer): Buffer | undefined {
    for (const event of this.splitter.push(chunk)) this.held.push(this.read(event));
    return this.isOpen ? this.take() : undefined;
  }

  end(): Buffer {
    if (this.splitter.hasRest) this.held.push(this.read(this.splitter.takeRest()));
    return this.take();
  }

  private take(): Buffer {
    const bytes = Buffer.concat(this.held);
    this.held = [];
    return bytes;
  }

  private read(event: Uint8Array): Uint8Array {
    const { readers } = this.exchange;
    const bytes = Buffer.from(event.buffer, event.byteOffset, event.byteLength);
    const canBeEndpoint = bytes.includes(ENDPOINT);
    this.session.countEvent(bytes);
    if (this.isOpen && !canBeEndpoint && readers === undefined && !this.session.isExpecting) return event;
    const { data, name } = parseEventFields(event);
    if (data.length === 0) return event;
    this.isOpen = true;
    if (name !== 'endpoint') return readEvent(event, this.exchange, (message) => this.session.read(message));
    const announced = data.map((line) => Buffer.from(line).toString('utf8')).join('\n');
    return Buffer.from(encodeEvent({ event: 'endpoint', data: this.replaceEndpoint(announced) }));
  }
}
