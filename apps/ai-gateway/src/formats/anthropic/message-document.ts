import type { JsonObject } from '../model-request.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import type { DocumentHandler } from '../readers/json-document-reader.ts';
import { ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { listObjects } from '../request-fields.ts';
import { MessageBlocks } from './message-blocks.ts';

/** Reads a message that is not a stream. */
export class MessageDocument implements DocumentHandler {
  readonly report = new ResponseFacts();
  readonly generatesText = true;
  readonly lastMembers = ['usage', 'model', 'id', 'stop_reason'];

  readDocument(message: JsonObject, isWhole: boolean): void {
    const { usage, model, id, stop_reason: reason, error, content } = message;
    if (isJsonObject(usage)) this.report.setUsage(keepReadableUsage('anthropic', usage));
    this.report.setNames(model, id);
    this.report.addFinishReason(reason);
    if (isJsonObject(error)) this.report.setFailure(error['type']);
    if (isWhole) this.report.outputBytes = countBytes(content);
  }
}

function countBytes(content: unknown): number {
  const blocks = new MessageBlocks();
  for (const block of listObjects(content)) blocks.takeBlock(block);
  return blocks.bytes;
}
