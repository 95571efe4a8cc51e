/** A text in parsed JSON that can be replaced. */
export interface TextLeaf {
  /** The place of the text. Parts of one text that follow each other in a stream have the same. */
  readonly place: string;
  readonly text: string;
  replace(text: string): void;
}

/**
 * Members with names of the protocol, which a replacement would break. All other texts can hold
 * contents: vendors add members at any time.
 */
const PROTOCOL_NAMES: ReadonlySet<string> = new Set([
  'call_id',
  'content_type',
  'encrypted_content',
  'finishReason',
  'finish_reason',
  'id',
  'item_id',
  'media_type',
  'mimeType',
  'mime_type',
  'model',
  'modelVersion',
  'name',
  'object',
  'previous_response_id',
  'responseId',
  'role',
  'service_tier',
  'signature',
  'status',
  'stop_reason',
  'system_fingerprint',
  'thoughtSignature',
  'thought_signature',
  'tool_call_id',
  'tool_use_id',
  'type',
]);
/** Members with encoded files. Only a document of Anthropic has plain text in `data`. */
const FILE_NAMES: ReadonlySet<string> = new Set(['data', 'file_data', 'b64_json']);

type JsonContainer = Readonly<Record<string, unknown>> | readonly unknown[];

/** Finds the texts of parsed JSON of any vendor that can hold contents. */
export function findTextLeaves(root: JsonContainer): TextLeaf[] {
  const leaves: TextLeaf[] = [];
  visit(root, '', false);
  return leaves;

  function visit(container: JsonContainer, path: string, isFree: boolean): void {
    for (const [name, value] of Object.entries(container)) {
      const place = `${path}/${Array.isArray(container) ? getIndex(value, name) : name}`;
      if (typeof value === 'string') {
        if (isFree || !isProtocolText(container, name, value))
          leaves.push({ place, text: value, replace: (text) => setMember(container, name, text) });
      } else if (isContainer(value)) visit(value, place, isFree || isFreeForm(container, name, value));
    }
  }
}

const isContainer = (value: unknown): value is JsonContainer => typeof value === 'object' && value !== null;

const isProtocolText = (container: JsonContainer, name: string, text: string): boolean =>
  PROTOCOL_NAMES.has(name) || (FILE_NAMES.has(name) && !isTextDocument(container)) || isDataUrl(text);

const isTextDocument = (container: JsonContainer): boolean => 'type' in container && container.type === 'text';

/** An assignment to `__proto__` would change nothing. */
const setMember = (container: JsonContainer, name: string, value: string): void =>
  void Object.defineProperty(container, name, { value, configurable: true, enumerable: true, writable: true });

const isDataUrl = (text: string): boolean => text.startsWith('data:') && text.slice(0, 100).includes(';base64,');

/** Streams name the place of a part by its index. */
function getIndex(value: unknown, position: string): string {
  const index = isContainer(value) && 'index' in value ? value.index : undefined;
  return typeof index === 'number' ? String(index) : position;
}

/** The arguments and results of tools have members with names of any kind. */
function isFreeForm(container: JsonContainer, name: string, value: JsonContainer): boolean {
  if (Array.isArray(value)) return false;
  if (name === 'args' || name === 'input') return true;
  return name === 'response' && !('type' in container);
}
