import { ByteCollector } from '@gatehouse/mcp/bytes';
import { ModelCallError } from '../formats/model-call-error.ts';
import { parseJsonObject } from '../formats/readers/event-stream-reader.ts';
import type { ResponseReader, ResponseReport } from '../formats/response-reader.ts';
import { ReportedFacts } from './answer-facts.ts';
import { type CollectedChoice, collectChoices } from './chat/collected-answer.ts';
import type { ClientAnswers, ProviderAnswers } from './translated-formats.ts';

/** The largest answer that is translated as a whole, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The parts of a translated answer. */
export interface DocumentParts {
  /** The reader of the provider’s format, which meters the answer. */
  readonly metering: ResponseReader;
  readonly provider: ProviderAnswers;
  readonly client: ClientAnswers;
  /** Whether the client has asked for a stream, which the provider has not sent. */
  readonly isStream: boolean;
}

/** Translates an answer that is one JSON document, when it is complete. */
export class TranslatedDocument implements ResponseReader {
  private readonly kept = new ByteCollector();

  constructor(private readonly parts: DocumentParts) {}

  get report(): ResponseReport {
    return this.parts.metering.report;
  }

  push(chunk: Uint8Array): undefined {
    this.parts.metering.push(chunk);
    this.kept.add(chunk);
    if (this.kept.length > MAX_BYTES)
      throw new ModelCallError('provider_error', 'The answer of the provider is too large to be translated.');
  }

  end(): Uint8Array {
    const { metering, provider, client, isStream } = this.parts;
    metering.end();
    const document = parseJsonObject(Buffer.from(this.kept.take()).toString('utf8'));
    if (document === undefined || !this.report.isComplete || this.report.failure !== undefined)
      throw new ModelCallError('provider_error', 'The answer of the provider cannot be translated.');
    const events = [...provider.createReader().readDocument(document)];
    const facts = new ReportedFacts(this.report, provider.format);
    if (!isStream) return Buffer.from(JSON.stringify(client.writeDocument(requireChoices(events), facts)));
    const writer = client.createStreamWriter();
    return Buffer.from(events.map((event) => writer.write(event, facts)).join('') + writer.end(facts));
  }
}

function requireChoices(events: Parameters<typeof collectChoices>[0]): CollectedChoice[] {
  const choices = collectChoices(events);
  if (choices.length > 0) return choices;
  throw new ModelCallError('provider_error', 'The provider sent an answer without content.');
}
