import type { WireFormat } from '../../formats/operation.ts';
import { ModelCallError } from '../../formats/model-call-error.ts';
import type { ChatPart, ChatTurn, MediaPart, TextPart } from '../chat/chat-request.ts';
import { createTexts } from '../chat/turns.ts';
import { createUntranslatableError } from '../untranslatable.ts';
import { CallIds } from './call-ids.ts';
import type { GoogleContent, GooglePart } from './content-schema.ts';

type FunctionResponse = NonNullable<GooglePart['functionResponse']>;
type Blob = NonNullable<GooglePart['inlineData']>;

/** Reads the contents of a conversation. */
export function readContents(contents: readonly GoogleContent[], target: WireFormat): ChatTurn[] {
  const ids = new CallIds();
  return contents.map(({ role, parts }, at) => ({
    role: role === 'model' ? 'assistant' : 'user',
    parts: parts.flatMap((part, index) => readPart(part, `contents.${at}.parts.${index}`, { ids, target })),
  }));
}

/** Reads the instructions. @throws ModelCallError for other parts than texts */
export const readInstructions = (content: GoogleContent, target: WireFormat): TextPart[] =>
  content.parts.flatMap(({ text }, at) => {
    if (text === undefined) throw createUntranslatableError(`systemInstruction.parts.${at}`, target);
    return createTexts(text);
  });

interface PartContext {
  readonly ids: CallIds;
  readonly target: WireFormat;
}

function readPart(part: GooglePart, field: string, { ids, target }: PartContext): ChatPart[] {
  const { text, inlineData, fileData, functionCall: call, functionResponse: result } = part;
  if (part.thought === true) return [];
  if (call !== undefined) {
    const { name, args = {} } = call;
    const id = ids.open(name, call.id);
    return [{ kind: 'tool_call', id, name, input: args, signature: part.thoughtSignature, field }];
  }
  if (result !== undefined) return [readResult(result, field, ids)];
  if (inlineData !== undefined) return [readBlob(inlineData, field)];
  if (fileData !== undefined) return [readFile(fileData, field, target)];
  return createTexts(text ?? '');
}

function readResult({ id, name, response, parts = [] }: FunctionResponse, field: string, ids: CallIds): ChatPart {
  const called = ids.close(name, id);
  if (called === undefined)
    throw new ModelCallError('invalid_request', `'${field}' is the result of a call that is not in the conversation.`, {
      field,
    });
  const members = Object.keys(response);
  const [only = ''] = members;
  const value = members.length === 1 && ['output', 'result', 'error'].includes(only) ? response[only] : response;
  return {
    kind: 'tool_result',
    id: called,
    content: [
      ...createTexts(typeof value === 'string' ? value : JSON.stringify(value)),
      ...parts.map(({ inlineData }, at) => readBlob(inlineData, `${field}.functionResponse.parts.${at}`)),
    ],
    isError: members.length === 1 && only === 'error',
    field,
  };
}

const readBlob = ({ mimeType, data, displayName }: Blob, field: string): MediaPart => ({
  kind: 'media',
  type: findType(mimeType),
  name: displayName,
  // ProtoJSON accepts base64 of URLs as well; the other formats do not.
  source: { kind: 'base64', mediaType: mimeType, data: data.replaceAll('-', '+').replaceAll('_', '/') },
  field,
});

/** Only public URLs have a meaning for other vendors. */
function readFile(
  { mimeType = '', fileUri: url }: NonNullable<GooglePart['fileData']>,
  field: string,
  target: WireFormat,
): MediaPart {
  const isPublic = /^https:\/\//.test(url) && !/^https:\/\/[^/]*googleapis\.com\//.test(url);
  if (!isPublic || !/^(image\/|application\/pdf$)/.test(mimeType))
    throw createUntranslatableError(field, target, 'Send the content in base64, as `inlineData`.');
  return { kind: 'media', type: findType(mimeType), source: { kind: 'url', mediaType: mimeType, url }, field };
}

function findType(mimeType: string): MediaPart['type'] {
  if (mimeType.startsWith('image/')) return 'image';
  return mimeType.startsWith('audio/') ? 'audio' : 'document';
}
