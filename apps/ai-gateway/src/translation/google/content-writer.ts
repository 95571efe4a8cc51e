import { ModelCallError } from '../../formats/model-call-error.ts';
import type { JsonObject } from '../../formats/model-request.ts';
import type { ChatPart, ChatRequest, MediaPart, ToolCallPart, ToolResultPart } from '../chat/chat-request.ts';
import { createUntranslatableError } from '../untranslatable.ts';

const TARGET = 'google';

/**
 * Stands for the signature of a thought that another vendor or client has not kept. Without one,
 * the vendor refuses calls in the history (page Thought signatures, FAQ).
 */
const UNKNOWN_SIGNATURE = 'skip_thought_signature_validator';

/** Writes the contents of a request. Results of tools name the function of their call. */
export function writeContents({ turns, turnsField }: ChatRequest): JsonObject[] {
  const names = new Map<string, string>();
  return turns.map(({ role, parts }) => {
    if (role === 'system')
      throw createUntranslatableError(turnsField, TARGET, 'Send instructions before all other messages.');
    for (const part of parts) if (part.kind === 'tool_call') names.set(part.id, part.name);
    const firstCall = parts.find((part) => part.kind === 'tool_call');
    return {
      role: role === 'user' ? 'user' : 'model',
      parts: parts.map((part) => writePart(part, names, part === firstCall)),
    };
  });
}

function writePart(part: ChatPart, names: ReadonlyMap<string, string>, isFirstCall: boolean): JsonObject {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'media':
      return writeMedium(part);
    case 'tool_call':
      return writeCall(part, isFirstCall);
    case 'tool_result':
      return { functionResponse: writeResult(part, names) };
  }
}

/** Of parallel calls, the vendor signs the first one. */
function writeCall({ id, name, input, signature }: ToolCallPart, isFirst: boolean): JsonObject {
  const thoughtSignature = signature ?? (isFirst ? UNKNOWN_SIGNATURE : undefined);
  return { functionCall: { id, name, args: input }, ...(thoughtSignature !== undefined && { thoughtSignature }) };
}

function writeResult({ id, content, isError, field }: ToolResultPart, names: ReadonlyMap<string, string>): JsonObject {
  const name = names.get(id);
  if (name === undefined)
    throw new ModelCallError('invalid_request', `'${field}' is the result of a call that is not in the conversation.`, {
      field,
    });
  const text = content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  const media = content.filter((part) => part.kind === 'media').map(writeMedium);
  return {
    id,
    name,
    response: isError ? { error: text } : { output: text },
    ...(media.length > 0 && { parts: media }),
  };
}

/** The vendor takes URLs of its own files only. */
function writeMedium({ source, field }: MediaPart): JsonObject {
  if (source.kind === 'url') throw createUntranslatableError(field, TARGET, 'Send the content in base64.');
  return { inlineData: { mimeType: source.mediaType, data: source.data } };
}
