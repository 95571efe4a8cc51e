import type { JsonObject } from '../model-request.ts';
import { type EventHandler, parseEventData, readEventData } from '../readers/event-stream-reader.ts';
import { type FoundKey, KeyFinder, countStringBytes } from '../readers/key-finder.ts';
import { removeMember } from '../readers/member-removal.ts';
import { ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { keepChatUsage } from './chat-usage.ts';
import { readErrorType } from './error-type.ts';

type Name = 'delta' | 'usage' | 'finish_reason' | 'error';
const KEYS = new KeyFinder<Name>(['delta', 'usage', 'finish_reason', 'error']);

/** The size of an event that can be `data: [DONE]`, with space for other fields. */
const DONE_BYTES = { min: 12, max: 64 };
/** Events that are parsed for the names of the model and of the answer, until one has them. */
const MAX_NAME_PARSES = 8;

/**
 * Reads the chunks of a chat completion. It parses the first chunk and those with a usage, a finish
 * reason or an error. The last usage applies: compatible servers send it in each chunk, in the one
 * with the finish reason, or in an extra one. The output is counted as the bytes of all strings in
 * the deltas, as they are written in JSON.
 */
export class ChatStream implements EventHandler {
  readonly report = new ResponseFacts();
  private nameParses = MAX_NAME_PARSES;
  /** Whether a key of the present event matters. */
  private mustParse = false;
  private nullUsage: FoundKey<Name> | undefined;
  private countedTo = 0;
  private event: Uint8Array = new Uint8Array(0);

  /**
   * @param answers that were requested
   * @param hidesUsage whether the client has not asked for the usage
   */
  constructor(
    private readonly answers: number,
    private readonly hidesUsage: boolean,
  ) {}

  readEvent(event: Uint8Array): Uint8Array | undefined {
    if (isDone(event)) {
      this.report.isComplete = true;
      return event;
    }
    const nullUsage = this.findNullUsage(event);
    if (this.mustParse) {
      this.nameParses -= 1;
      const chunk = parseEventData(event);
      if (chunk !== undefined && this.readChunk(chunk) === 'hidden') return undefined;
    }
    return this.hidesUsage && nullUsage !== undefined ? removeMember(event, nullUsage) : event;
  }

  /** A server can close the connection after the last chunk without `[DONE]`. */
  endStream(): undefined {
    if (this.report.finishReasons.length >= this.answers) this.report.isComplete = true;
  }

  /** Counts the text of the event. @returns its member `usage: null` */
  private findNullUsage(event: Uint8Array): FoundKey<Name> | undefined {
    this.event = event;
    this.mustParse = false;
    this.nullUsage = undefined;
    this.countedTo = 0;
    KEYS.visit(event, this.takeKey);
    return this.nullUsage;
  }

  private readonly takeKey = (key: FoundKey<Name>): void => {
    if (this.nameParses > 0) this.mustParse = true;
    if (key.name === 'delta') {
      if (key.keyStart < this.countedTo) return;
      const { bytes, end } = countStringBytes(this.event, key.valueStart);
      this.report.outputBytes += bytes;
      this.countedTo = end;
    } else if (!key.isNull) this.mustParse = true;
    else if (key.name === 'usage') this.nullUsage = key;
  };

  /** @returns hidden for the chunk that was requested for the gateway only */
  private readChunk({ id, model, usage, choices, error }: JsonObject): 'hidden' | undefined {
    this.report.setNames(model, id);
    // The first chunk of Azure has neither.
    if (this.report.model !== undefined) this.nameParses = 0;
    if (isJsonObject(usage)) this.report.setUsage(keepChatUsage(usage));
    if (error !== undefined && error !== null) this.report.setFailure(readErrorType(error));
    const list = Array.isArray(choices) ? choices : undefined;
    for (const choice of list ?? []) if (isJsonObject(choice)) this.report.addFinishReason(choice['finish_reason']);
    return this.hidesUsage && list?.length === 0 && isJsonObject(usage) ? 'hidden' : undefined;
  }
}

const isDone = (event: Uint8Array): boolean =>
  event.length >= DONE_BYTES.min && event.length <= DONE_BYTES.max && readEventData(event).trim() === '[DONE]';
