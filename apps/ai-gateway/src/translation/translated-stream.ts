import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject } from '../formats/model-request.ts';
import { type EventHandler, parseEventData } from '../formats/readers/event-stream-reader.ts';
import type { ResponseReport } from '../formats/response-reader.ts';
import type { AnswerReader } from './chat/answer-reader.ts';
import type { AnswerStreamWriter } from './chat/answer-writer.ts';
import { ReportedFacts } from './answer-facts.ts';
import type { ClientAnswers, ProviderAnswers } from './translated-formats.ts';

/** The parts of a translated stream. */
export interface StreamParts {
  /** The handler of the provider’s format, which meters the stream. */
  readonly metering: EventHandler;
  readonly provider: ProviderAnswers;
  readonly client: ClientAnswers;
  /** The longest pause for the client while the provider sends parts that it does not get. */
  readonly keepAliveMs?: number;
}

const KEEP_ALIVE_MS = 10_000;

/**
 * Translates the events of a provider. The events for the client leave with the event that they
 * come from, and the end of the answer when the metering says that it is complete.
 */
export class TranslatedStream implements EventHandler {
  private readonly reader: AnswerReader;
  private readonly writer: AnswerStreamWriter;
  private readonly facts: ReportedFacts;
  private writtenAt = performance.now();
  private hasBegun = false;
  /** Whether the provider has said why an answer has ended. */
  private hasReason = false;
  private isEnded = false;

  constructor(private readonly parts: StreamParts) {
    this.reader = parts.provider.createReader();
    this.writer = parts.client.createStreamWriter();
    this.facts = new ReportedFacts(parts.metering.report, parts.provider.format);
  }

  get report(): ResponseReport {
    return this.parts.metering.report;
  }

  readEvent(event: Uint8Array): Uint8Array | undefined {
    this.parts.metering.readEvent(event);
    if (this.isEnded) return undefined;
    const data = parseEventData(event);
    const translated = this.report.failure === undefined ? this.translate(data) : this.writeFailure(data);
    const text = translated === '' ? this.writeKeepAlive() : translated;
    if (text === '') return undefined;
    this.hasBegun = true;
    this.writtenAt = performance.now();
    return Buffer.from(text);
  }

  endStream(): Uint8Array | undefined {
    this.parts.metering.endStream?.();
    if (this.isEnded) return undefined;
    // Without an end, the client would take the part for the whole answer.
    if (!this.report.isComplete || !this.hasReason)
      throw new ModelCallError('provider_error', 'The provider ended its response early.');
    return Buffer.from(this.writeEnd());
  }

  private translate(data: JsonObject | undefined): string {
    let text = '';
    if (data !== undefined)
      for (const event of this.reader.readEvent(data)) {
        this.hasReason ||= event.kind === 'finish';
        text += this.writer.write(event, this.facts);
      }
    return this.report.isComplete ? text + this.writeEnd() : text;
  }

  private writeEnd(): string {
    this.isEnded = true;
    return this.writer.end(this.facts);
  }

  private writeFailure(data: JsonObject | undefined): string {
    this.isEnded = true;
    const { provider, client } = this.parts;
    const error = provider.readError(undefined, data);
    // Before the first event, the client can still get the status of the error.
    if (!this.hasBegun) throw error;
    return client.writeStreamError(error);
  }

  /** Writes that the answer goes on, if the client has received nothing for some time. */
  private writeKeepAlive(): string {
    const { client, keepAliveMs = KEEP_ALIVE_MS } = this.parts;
    return performance.now() - this.writtenAt < keepAliveMs ? '' : client.keepAlive;
  }
}
