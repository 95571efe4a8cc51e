import { EventSplitter } from '@gatehouse/mcp/event-splitter';
import type { WholeAnswer } from '../exchange/call-pass.ts';
import { isEventStream } from '../formats/readers/content-type.ts';
import { MAX_EVENT_BYTES, readEventData, readEventName } from '../formats/readers/event-stream-reader.ts';
import { findTextLeaves, type TextLeaf } from './text-leaves.ts';

/** A whole answer whose texts can be replaced. */
export interface AnswerTexts {
  readonly leaves: readonly TextLeaf[];
  /** Writes the answer with its replaced texts. */
  write(): Uint8Array;
}

/** The data of the last event of streams of OpenAI. */
const DONE = '[DONE]';

/** Members that say to which part of an answer an event of a stream belongs. */
const PART_NAMES = ['type', 'item_id', 'output_index', 'content_index', 'summary_index', 'index'] as const;

/**
 * Finds the texts of a whole answer of any vendor: a document, an event stream or a JSON array of
 * chunks.
 * @throws {SyntaxError} for an answer that cannot be examined
 */
export function findAnswerTexts({ contentType, bytes }: WholeAnswer): AnswerTexts {
  if (isEventStream(contentType, false)) return findEventTexts(bytes);
  const document = parseContainer(Buffer.from(bytes).toString('utf8'));
  const chunks = Array.isArray(document) ? document.map((chunk) => requireContainer(chunk)) : [document];
  return { leaves: chunks.flatMap(findChunkLeaves), write: () => Buffer.from(JSON.stringify(document)) };
}

function findEventTexts(bytes: Uint8Array): AnswerTexts {
  const splitter = new EventSplitter(MAX_EVENT_BYTES);
  const blocks = splitter.push(bytes);
  const rest = splitter.takeRest();
  const events = (rest.length === 0 ? blocks : [...blocks, rest]).map((block) => {
    const data = readEventData(block);
    const chunk = data === '' || data.trim() === DONE ? undefined : parseContainer(data);
    return { name: readEventName(block), data, chunk };
  });
  return {
    leaves: events.flatMap(({ chunk }) => (chunk === undefined ? [] : findChunkLeaves(chunk))),
    write: () =>
      Buffer.from(
        events
          .map(({ name, data, chunk }) => {
            const head = name === '' ? '' : `event: ${name}\n`;
            return `${head}data: ${chunk === undefined ? data : JSON.stringify(chunk)}\n\n`;
          })
          .join(''),
      ),
  };
}

type JsonContainer = Readonly<Record<string, unknown>> | readonly unknown[];

/** Deltas of the same part of an answer have the same place. */
function findChunkLeaves(chunk: JsonContainer): TextLeaf[] {
  const facts = chunk as Readonly<Record<string, unknown>>;
  const part = JSON.stringify(PART_NAMES.map((name) => facts[name] ?? null));
  return findTextLeaves(chunk).map((leaf) => ({ ...leaf, place: part + leaf.place }));
}

const parseContainer = (text: string): JsonContainer => requireContainer(JSON.parse(text));

function requireContainer(value: unknown): JsonContainer {
  if (typeof value === 'object' && value !== null) return value as JsonContainer;
  throw new SyntaxError('the answer is no JSON object');
}
