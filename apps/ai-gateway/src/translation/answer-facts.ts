import type { WireFormat } from '../formats/operation.ts';
import type { ResponseReport } from '../formats/response-reader.ts';
import { readAnswerUsage } from './chat/answer-usage.ts';
import type { AnswerFacts } from './chat/answer-writer.ts';

/** Takes the facts of an answer from the report of its metering. @param createdAt in seconds */
export const createFacts = (report: ResponseReport, format: WireFormat, createdAt: number): AnswerFacts => ({
  id: report.responseId ?? '',
  model: report.model ?? '',
  createdAt,
  usage: readAnswerUsage(format, report.isComplete ? report.usage : report.promptUsage),
});
