import type { JsonObject } from '../model-request.ts';
import type { DocumentHandler } from '../readers/json-document-reader.ts';
import { ResponseFacts } from '../readers/response-facts.ts';
import { readResponseObject } from './response-facts.ts';

/**
 * Reads a response of the Responses API that is not a stream. The output lists the billed tool
 * calls, so that documents of up to 4 MiB are parsed; those of a larger one are not charged.
 */
export class ResponseDocument implements DocumentHandler {
  readonly report = new ResponseFacts();
  readonly generatesText = true;
  readonly maxParsedBytes = 4 * 1024 * 1024;
  readonly lastMembers = ['usage', 'model', 'error', 'status'];

  readDocument(document: JsonObject, isWhole: boolean): void {
    readResponseObject(this.report, document);
    if (isWhole && this.report.usage === undefined)
      this.report.outputBytes = Buffer.byteLength(JSON.stringify(document['output'] ?? ''));
  }
}
