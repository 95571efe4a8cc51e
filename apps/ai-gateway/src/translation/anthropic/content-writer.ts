import { createHash } from 'node:crypto';
import type { JsonObject } from '../../formats/model-request.ts';
import type { ChatPart, ChatTurn, MediaPart, TextPart } from '../chat/chat-request.ts';
import { createUntranslatableError } from '../untranslatable.ts';

const TARGET = 'anthropic';
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const TOOL_ID = /^[\w-]+$/;

/** Writes a message. The results of tools are first, where the vendor requires them. */
export function writeTurn({ role, parts }: ChatTurn): JsonObject {
  const results = parts.filter(({ kind }) => kind === 'tool_result');
  const ordered = results.length === 0 ? parts : [...results, ...parts.filter(({ kind }) => kind !== 'tool_result')];
  return { role, content: ordered.map(writePart) };
}

function writePart(part: ChatPart): JsonObject {
  switch (part.kind) {
    case 'text':
    case 'media':
      return writeContent(part);
    case 'tool_call':
      return { type: 'tool_use', id: writeToolId(part.id), name: part.name, input: part.input };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: writeToolId(part.id),
        ...(part.content.length > 0 && { content: part.content.map(writeContent) }),
        ...(part.isError && { is_error: true }),
      };
  }
}

const writeContent = (part: TextPart | MediaPart): JsonObject =>
  part.kind === 'text' ? { type: 'text', text: part.text } : writeMedium(part);

function writeMedium({ source, type, name, field }: MediaPart): JsonObject {
  if (type === 'audio') throw createUntranslatableError(field, TARGET);
  const title = name === undefined ? {} : { title: name };
  if (source.kind === 'url')
    return { type, source: { type: 'url', url: source.url }, ...(type === 'document' && title) };
  const { mediaType, data } = source;
  const written = { type: 'base64', media_type: mediaType, data };
  if (IMAGE_TYPES.has(mediaType)) return { type: 'image', source: written };
  if (mediaType === 'application/pdf') return { type: 'document', source: written, ...title };
  throw createUntranslatableError(field, TARGET, 'Send an image in JPEG, PNG, GIF or WebP, or a PDF document.');
}

/** Ids of other vendors can have characters that this one refuses. */
const writeToolId = (id: string): string =>
  TOOL_ID.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
