import type { ChatPart, ChatTurn, MediaPart, TextPart } from '../chat/chat-request.ts';
import { createTexts } from '../chat/turns.ts';
import type { AnthropicChat, AnthropicMessage } from './message-schema.ts';

type Block = Exclude<AnthropicMessage['content'], string>[number];
type MediaBlock = Extract<Block, { type: 'image' | 'document' }>;

/** Reads the instructions of a request. */
export const readSystem = (content: NonNullable<AnthropicChat['system']>): TextPart[] =>
  typeof content === 'string' ? createTexts(content) : content.flatMap(({ text }) => createTexts(text));

/** Reads a message. Thoughts of earlier answers are left out: only their vendor can read them. */
export const readMessage = ({ role, content }: AnthropicMessage, field: string): ChatTurn => ({
  role,
  parts:
    typeof content === 'string'
      ? createTexts(content)
      : content.flatMap((block, at) => readBlock(block, `${field}.content.${at}`)),
});

function readBlock(block: Block, field: string): ChatPart[] {
  switch (block.type) {
    case 'tool_use': {
      const { id, name, input } = block;
      return [{ kind: 'tool_call', id, name, input, field }];
    }
    case 'tool_result': {
      const { tool_use_id: id, content = '', is_error: isError = false } = block;
      const parts =
        typeof content === 'string'
          ? createTexts(content)
          : content.flatMap((inner, at) => readContent(inner, `${field}.content.${at}`));
      return [{ kind: 'tool_result', id, content: parts, isError, field }];
    }
    case 'thinking':
    case 'redacted_thinking':
      return [];
    default:
      return readContent(block, field);
  }
}

function readContent(block: MediaBlock | Extract<Block, { type: 'text' }>, field: string): (TextPart | MediaPart)[] {
  if (block.type === 'text') return createTexts(block.text);
  const { source } = block;
  if (source.type === 'text') return createTexts(source.data);
  const { type } = block;
  const name = block.type === 'document' ? (block.title ?? undefined) : undefined;
  return source.type === 'url'
    ? [{ kind: 'media', type, name, source: { kind: 'url', mediaType: undefined, url: source.url }, field }]
    : [
        {
          kind: 'media',
          type,
          name,
          source: { kind: 'base64', mediaType: source.media_type, data: source.data },
          field,
        },
      ];
}
