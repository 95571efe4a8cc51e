import type { DocumentHandler } from './json-document-reader.ts';
import { ResponseFacts } from './response-facts.ts';

/** Reads a document that costs nothing, such as a count of tokens. */
export class UnmeteredDocument implements DocumentHandler {
  readonly report = new ResponseFacts();
  readonly generatesText = false;
  readonly lastMembers = [];

  readDocument(): void {
    // There is nothing to charge.
  }
}
