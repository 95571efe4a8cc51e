import type { ChatPart, ChatTurn, MediaPart, ToolCallPart } from '../chat/chat-request.ts';
import { createTexts } from '../chat/turns.ts';
import { createDataMedium } from '../chat/data-urls.ts';
import { parseToolInput } from '../chat/tool-input.ts';
import type { OpenAiMessage } from './chat-schema.ts';

type AssistantMessage = Extract<OpenAiMessage, { role: 'assistant' }>;
type UserPart = Exclude<Extract<OpenAiMessage, { role: 'user' }>['content'], string>[number];

/** Reads the messages of a chat. Results of tools belong to the user. */
export const readMessages = (messages: readonly OpenAiMessage[]): ChatTurn[] =>
  messages.map((message, at) => readMessage(message, `messages.${at}`));

function readMessage(message: OpenAiMessage, field: string): ChatTurn {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: readUserContent(message.content, `${field}.content`) };
    case 'assistant':
      return { role: 'assistant', parts: readAssistant(message, field) };
    case 'tool': {
      const content = readTexts(message.content);
      return {
        role: 'user',
        parts: [{ kind: 'tool_result', id: message.tool_call_id, content, isError: false, field }],
      };
    }
    default:
      return { role: 'system', parts: readTexts(message.content) };
  }
}

const readTexts = (content: string | readonly { readonly text: string }[]) =>
  typeof content === 'string' ? createTexts(content) : content.flatMap(({ text }) => createTexts(text));

const readUserContent = (content: string | readonly UserPart[], field: string): ChatPart[] =>
  typeof content === 'string'
    ? createTexts(content)
    : content.flatMap((part, at): ChatPart[] =>
        part.type === 'text' ? createTexts(part.text) : [readMedium(part, `${field}.${at}`)],
      );

function readMedium(part: Exclude<UserPart, { type: 'text' }>, field: string): MediaPart {
  switch (part.type) {
    case 'image_url':
      return createDataMedium(part.image_url.url, 'image', `${field}.image_url.url`);
    case 'input_audio': {
      const { data, format } = part.input_audio;
      const mediaType = `audio/${format}`;
      return { kind: 'media', type: 'audio', source: { kind: 'base64', mediaType, data }, field };
    }
    case 'file':
      return {
        ...createDataMedium(part.file.file_data ?? '', 'document', `${field}.file.file_data`),
        name: part.file.filename,
      };
  }
}

function readAssistant({ content, refusal, tool_calls: calls }: AssistantMessage, field: string): ChatPart[] {
  const texts =
    typeof content === 'string'
      ? createTexts(content)
      : (content ?? []).flatMap((part) => createTexts(part.type === 'text' ? part.text : part.refusal));
  return [
    ...texts,
    ...createTexts(refusal ?? ''),
    ...(calls ?? []).map((call, at) => readToolCall(call, `${field}.tool_calls.${at}`)),
  ];
}

const readToolCall = (
  { id, function: called, extra_content: extra }: NonNullable<AssistantMessage['tool_calls']>[number],
  field: string,
): ToolCallPart => ({
  kind: 'tool_call',
  id,
  name: called.name,
  input: parseToolInput(called.arguments, `${field}.function.arguments`),
  signature: extra?.google?.thought_signature,
  field,
});
