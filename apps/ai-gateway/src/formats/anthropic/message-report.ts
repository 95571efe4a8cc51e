import { isJsonObject } from '@gatehouse/ai-resources/merge-patch';
import type { JsonObject } from '../model-request.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { listObjects } from '../request-fields.ts';
import type { ResponseReport } from '../response-reader.ts';
import { MessageUsage } from './message-usage.ts';

/**
 * What a response of the Messages API has said so far: a message, or the events of a stream.
 * Unknown events and events of another form are ignored.
 */
export class MessageReport implements ResponseReport {
  isComplete = false;
  failure: string | undefined;
  outputBytes = 0;
  model: string | undefined;
  responseId: string | undefined;
  finishReasons: readonly string[] = [];
  private readonly counted = new MessageUsage();
  /** Whether the current block shows its thinking. A signature stands for hidden thinking. */
  private hasThinking = false;

  get usage(): JsonObject | undefined {
    return keepReadableUsage('anthropic', this.counted.reported);
  }

  get promptUsage(): JsonObject | undefined {
    return keepReadableUsage('anthropic', this.counted.prompt);
  }

  /** Takes a whole message. */
  takeMessage(message: JsonObject): void {
    if (message['type'] === 'error') this.takeError(message);
    this.takeNames(message);
    this.takeStopReason(message);
    for (const block of listObjects(message['content'])) this.takeBlock(block);
    this.counted.update(message['usage']);
    this.isComplete = true;
  }

  /** Takes the data of one event of a stream. */
  takeEvent(event: JsonObject): void {
    const { type, message, delta, content_block: block } = event;
    if (type === 'message_start' && isJsonObject(message)) {
      this.takeNames(message);
      this.counted.start(message['usage']);
    } else if (type === 'content_block_start' && isJsonObject(block)) this.takeBlock(block);
    else if (type === 'content_block_delta' && isJsonObject(delta)) this.takeDelta(delta);
    else if (type === 'message_delta') {
      if (isJsonObject(delta)) this.takeStopReason(delta);
      this.counted.update(event['usage']);
    } else if (type === 'message_stop') this.isComplete = true;
    else if (type === 'error') this.takeError(event);
  }

  private takeNames({ id, model }: JsonObject): void {
    if (typeof id === 'string') this.responseId = id;
    if (typeof model === 'string') this.model = model;
  }

  private takeStopReason({ stop_reason: reason }: JsonObject): void {
    if (typeof reason === 'string') this.finishReasons = [reason];
  }

  /** The message of an error can repeat a part of the prompt, so only its type is kept. */
  private takeError({ error }: JsonObject): void {
    const type = isJsonObject(error) ? error['type'] : undefined;
    this.failure = typeof type === 'string' ? type : 'error';
  }

  private takeBlock(block: JsonObject): void {
    const { type, name, input, data } = block;
    this.hasThinking = false;
    if (type === 'server_tool_use' && name === 'web_search') this.counted.addSearch();
    if (typeof data === 'string' && type === 'redacted_thinking') this.addText(data);
    this.takeDelta(block);
    if (isJsonObject(input)) this.addText(`${String(name)}${JSON.stringify(input)}`);
  }

  private takeDelta({ text, thinking, partial_json: json, signature }: JsonObject): void {
    if (typeof thinking === 'string' && thinking !== '') {
      this.hasThinking = true;
      this.addText(thinking);
    }
    if (typeof text === 'string') this.addText(text);
    if (typeof json === 'string') this.addText(json);
    if (typeof signature === 'string' && !this.hasThinking) this.addText(signature);
  }

  private addText(text: string): void {
    this.outputBytes += Buffer.byteLength(text);
  }
}
