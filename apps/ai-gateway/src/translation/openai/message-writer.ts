import type { JsonObject } from '../../formats/model-request.ts';
import type { ChatPart, ChatRequest, ChatTurn, MediaPart, TextPart, ToolResultPart } from '../chat/chat-request.ts';
import { createUntranslatableError } from '../untranslatable.ts';

const TARGET = 'openai';
const AUDIO_FORMATS: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mp3', 'mp3'],
  ['audio/mpeg', 'mp3'],
]);

/** Writes the messages of a chat. A turn of the user can become several ones. */
function* listMessages({ instructions, turns }: ChatRequest): Generator<JsonObject> {
  if (instructions.length > 0) yield { role: 'system', content: writeTexts(instructions) };
  for (const turn of turns) yield* listTurn(turn);
}

export const writeMessages = (chat: ChatRequest): JsonObject[] => [...listMessages(chat)];

function* listTurn({ role, parts }: ChatTurn): Generator<JsonObject> {
  const texts = parts.filter((part) => part.kind === 'text');
  if (role === 'system') yield { role, content: writeTexts(texts) };
  else if (role === 'assistant') yield writeAssistant(texts, parts);
  else {
    const isResult = (part: ChatPart): part is ToolResultPart => part.kind === 'tool_result';
    // The results follow the calls, before anything else that the user says.
    for (const result of parts.filter(isResult)) yield writeResult(result);
    const rest = parts.filter((part) => !isResult(part));
    if (rest.length > 0)
      yield { role, content: rest.length === texts.length ? writeTexts(texts) : rest.map(writeContent) };
  }
}

/** Compatible servers may know texts only as a string. */
const writeTexts = (texts: readonly TextPart[]): unknown =>
  texts.length === 1 ? texts[0]?.text : texts.map(({ text }) => ({ type: 'text', text }));

function writeAssistant(texts: readonly TextPart[], parts: readonly ChatPart[]): JsonObject {
  const calls = parts.flatMap((part) =>
    part.kind === 'tool_call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.input) } }]
      : [],
  );
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : writeTexts(texts),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Writes the result of a tool. An error has no field of its own, so its text says it. */
function writeResult({ id, content, isError, field }: ToolResultPart): JsonObject {
  if (content.some(({ kind }) => kind === 'media'))
    throw createUntranslatableError(field, TARGET, 'Send the result of a tool as a text.');
  const texts = content.filter((part) => part.kind === 'text');
  const isMarked = /^\s*error/i.test(texts[0]?.text.slice(0, 64) ?? '');
  const marked: readonly TextPart[] = isError && !isMarked ? [{ kind: 'text', text: 'Error: ' }, ...texts] : texts;
  return { role: 'tool', tool_call_id: id, content: marked.map(({ text }) => text).join('') };
}

function writeContent(part: ChatPart): JsonObject {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  if (part.kind === 'media') return writeMedium(part);
  // Readers put calls into turns of the assistant only.
  throw createUntranslatableError(part.field, TARGET);
}

function writeMedium({ type, source, name, field }: MediaPart): JsonObject {
  if (source.kind === 'url') {
    if (type === 'image') return { type: 'image_url', image_url: { url: source.url } };
    throw createUntranslatableError(field, TARGET, 'Send the document in base64.');
  }
  const { mediaType, data } = source;
  const url = `data:${mediaType};base64,${data}`;
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  if (mediaType === 'application/pdf')
    return { type: 'file', file: { filename: name ?? 'document.pdf', file_data: url } };
  const format = AUDIO_FORMATS.get(mediaType);
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  throw createUntranslatableError(field, TARGET, 'Send an image, a PDF document, or audio in WAV or MP3.');
}
