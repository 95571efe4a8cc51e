import type { ResponseReader, ResponseReport } from '../response-reader.ts';
import { type EventHandler, parseEventData } from '../readers/event-stream-reader.ts';
import { GeneratedContent } from './generated-content.ts';
import { JsonArrayItems } from './json-array-items.ts';

/**
 * Reads the events of `streamGenerateContent` with `alt=sse`. A chunk with only usage can follow
 * the finish reasons, so the stream is complete when its connection ends.
 */
export class GenerationEvents implements EventHandler {
  private readonly content = new GeneratedContent();
  readonly report = this.content.report;

  readEvent(event: Uint8Array): Uint8Array {
    const chunk = parseEventData(event);
    if (chunk !== undefined) this.content.takeChunk(chunk);
    return event;
  }

  endStream(): undefined {
    this.content.end();
  }
}

/**
 * Reads the chunks of `streamGenerateContent` without `alt=sse`: the items of a JSON array. Its
 * bytes pass at once and unchanged.
 */
export class GenerationArrayReader implements ResponseReader {
  private readonly content = new GeneratedContent();
  private readonly items = new JsonArrayItems((item) => this.content.takeChunk(item));

  get report(): ResponseReport {
    return this.content.report;
  }

  push(chunk: Uint8Array): Uint8Array {
    this.items.push(chunk);
    return chunk;
  }

  end(): undefined {
    if (this.items.isClosed) this.content.end();
  }
}
