import type { JsonObject } from '../model-request.ts';
import type { DocumentHandler } from '../readers/json-document-reader.ts';
import { ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { keepChatUsage } from './chat-usage.ts';
import { readErrorType } from './error-type.ts';

/** Reads a chat completion that is not a stream. */
export class ChatDocument implements DocumentHandler {
  readonly report = new ResponseFacts();
  readonly generatesText = true;
  readonly lastMembers = ['usage', 'model', 'id', 'error'];

  readDocument(document: JsonObject, isWhole: boolean): void {
    const { usage, model, id, error, choices } = document;
    if (isJsonObject(usage)) this.report.setUsage(keepChatUsage(usage));
    this.report.setNames(model, id);
    if (isJsonObject(error)) this.report.setFailure(readErrorType(error));
    if (!isWhole) return;
    for (const choice of Array.isArray(choices) ? choices : [])
      if (isJsonObject(choice)) this.report.addFinishReason(choice['finish_reason']);
    if (this.report.usage === undefined) this.report.outputBytes = Buffer.byteLength(JSON.stringify(choices ?? ''));
  }
}
