import type { JsonObject } from '../model-request.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { type EventHandler, parseEventData } from '../readers/event-stream-reader.ts';
import { ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { MessageBlocks } from './message-blocks.ts';
import { MessageUsage } from './message-usage.ts';

const DELTA = Buffer.from('event: content_block_delta');

/**
 * Reads the events of a message: `message_start`, blocks with their deltas, `message_delta` and
 * `message_stop`. Deltas of blocks are not parsed. Unknown events, such as `ping`, are ignored. The
 * message of an `error` can repeat a part of the prompt, so only its type is kept.
 */
export class MessageStream implements EventHandler {
  readonly report = new ResponseFacts();
  private readonly usage = new MessageUsage();
  private readonly blocks = new MessageBlocks();

  readEvent(event: Uint8Array): Uint8Array {
    if (event.length > DELTA.length && DELTA.compare(event, 0, DELTA.length) === 0) this.takeDelta(event);
    else {
      const data = parseEventData(event);
      if (data?.['type'] === 'content_block_delta') this.takeDelta(event);
      else if (data !== undefined) this.takeData(data);
    }
    return event;
  }

  private takeData(data: JsonObject): void {
    const { type, message, delta, content_block: block, error } = data;
    if (type === 'message_start' && isJsonObject(message)) {
      this.report.setNames(message['model'], message['id']);
      this.takeUsage(() => this.usage.start(message['usage']));
    } else if (type === 'content_block_start' && isJsonObject(block)) this.takeBlock(block);
    else if (type === 'message_delta') {
      if (isJsonObject(delta)) this.takeStopReason(delta['stop_reason']);
      this.takeUsage(() => this.usage.update(data['usage']));
    } else if (type === 'message_stop') this.report.isComplete = true;
    else if (type === 'error') this.report.setFailure(isJsonObject(error) ? error['type'] : undefined);
  }

  /** Several `message_delta` can repeat the reason. */
  private takeStopReason(reason: unknown): void {
    if (this.report.finishReasons.length === 0) this.report.addFinishReason(reason);
  }

  private takeDelta(event: Uint8Array): void {
    this.blocks.takeDelta(event);
    this.report.outputBytes = this.blocks.bytes;
  }

  private takeBlock(block: JsonObject): void {
    this.blocks.takeBlock(block);
    this.report.outputBytes = this.blocks.bytes;
    if (block['type'] === 'server_tool_use' && block['name'] === 'web_search')
      this.takeUsage(() => this.usage.addSearch());
  }

  private takeUsage(take: () => void): void {
    take();
    this.report.setUsage(keepReadableUsage('anthropic', this.usage.reported));
    this.report.setPromptUsage(keepReadableUsage('anthropic', this.usage.prompt));
  }
}
