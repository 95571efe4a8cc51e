import type { WireFormat } from '../formats/operation.ts';
import type { ResponseReport } from '../formats/response-reader.ts';
import { type AnswerUsage, readAnswerUsage } from './chat/answer-usage.ts';
import type { AnswerFacts } from './chat/answer-writer.ts';

/** The facts of an answer, read from the report of its metering when they are needed. */
export class ReportedFacts implements AnswerFacts {
  readonly createdAt = Math.floor(Date.now() / 1_000);

  /** @param format of the provider */
  constructor(
    private readonly report: ResponseReport,
    private readonly format: WireFormat,
  ) {}

  get id(): string {
    return this.report.responseId ?? '';
  }

  get model(): string {
    return this.report.model ?? '';
  }

  get usage(): AnswerUsage | undefined {
    const { isComplete, usage, promptUsage } = this.report;
    return readAnswerUsage(this.format, isComplete ? usage : promptUsage);
  }
}
