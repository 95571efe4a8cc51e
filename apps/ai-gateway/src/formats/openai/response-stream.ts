import type { JsonObject } from '../model-request.ts';
import { type EventHandler, parseEventData, readEventName } from '../readers/event-stream-reader.ts';
import { type FoundKey, KeyFinder, countStringBytes } from '../readers/key-finder.ts';
import { ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { readErrorType } from './error-type.ts';
import { type ToolCalls, addToolCalls, countToolCall, readResponseObject } from './response-facts.ts';

const TERMINAL_EVENTS = new Set(['response.completed', 'response.incomplete', 'response.failed']);
/** Events that are parsed. The others carry parts of the answer, whose text is counted. */
const PARSED_EVENTS = new Set([...TERMINAL_EVENTS, 'response.created', 'response.output_item.done', 'error', '']);

const DELTA = new KeyFinder(['delta']);

/**
 * Reads the events of a response. The terminal event has the whole response with its usage. The
 * output is counted as the bytes of all `delta` texts, as they are written in JSON.
 */
export class ResponseStream implements EventHandler {
  readonly report = new ResponseFacts();
  private readonly calls: ToolCalls = { web_search: 0, file_search: 0 };
  private event: Uint8Array = new Uint8Array(0);

  /** @param promptTokens the estimate, for a stream that breaks before its usage */
  constructor(private readonly promptTokens: number) {}

  readEvent(event: Uint8Array): Uint8Array {
    if (PARSED_EVENTS.has(readEventName(event))) {
      const data = parseEventData(event);
      if (data !== undefined) this.readData(data);
    } else {
      this.event = event;
      DELTA.visit(event, this.countDelta);
    }
    return event;
  }

  private readonly countDelta = ({ valueStart }: FoundKey<string>): void => {
    this.report.outputBytes += countStringBytes(this.event, valueStart).bytes;
  };

  private readData(data: JsonObject): void {
    const { type, response, item, delta, error } = data;
    if (typeof type === 'string' && TERMINAL_EVENTS.has(type) && isJsonObject(response)) {
      readResponseObject(this.report, response);
      this.report.isComplete = true;
    } else if (isJsonObject(response)) this.report.setNames(response['model'], response['id']);
    else if (type === 'response.output_item.done') this.readItem(item);
    else if (type === 'error' || isJsonObject(error))
      this.report.setFailure(readErrorType(isJsonObject(error) ? error : data));
    // A compatible server can omit the names of events.
    else if (typeof delta === 'string') this.report.outputBytes += Buffer.byteLength(delta);
  }

  /** Keeps the billed calls of a stream that breaks before its usage. */
  private readItem(item: unknown): void {
    countToolCall(this.calls, item);
    if (this.calls.web_search + this.calls.file_search > 0)
      this.report.setPromptUsage(addToolCalls({ prompt_tokens: this.promptTokens }, this.calls));
  }
}
