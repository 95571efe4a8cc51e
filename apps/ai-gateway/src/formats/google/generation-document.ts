import type { JsonObject } from '../model-request.ts';
import type { DocumentHandler } from '../readers/json-document-reader.ts';
import { GeneratedContent } from './generated-content.ts';

/** Reads a response of `generateContent`. The usage follows the candidates. */
export class GenerationDocument implements DocumentHandler {
  private readonly content = new GeneratedContent();
  readonly report = this.content.report;
  readonly generatesText = true;
  readonly lastMembers = ['usageMetadata', 'modelVersion', 'responseId'];

  readDocument(document: JsonObject, isWhole: boolean): void {
    if (isWhole) this.report.outputBytes = 0;
    this.content.takeChunk(document);
    this.content.end();
  }
}
