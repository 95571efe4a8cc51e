import { ByteCollector } from '@gatehouse/mcp/bytes';
import { exceededLimit } from '@gatehouse/json-limits/json-counter';
import { JsonReader, JsonSyntaxError } from '@gatehouse/json-limits/json-reader';
import type { JsonObject } from '../model-request.ts';
import type { ResponseReader } from '../response-reader.ts';
import { parseJsonObject } from './event-stream-reader.ts';
import { type FoundKey, KeyFinder, isAtTopLevel } from './key-finder.ts';
import type { ResponseFacts } from './response-facts.ts';

/** The default of `maxParsedBytes`. */
const MAX_PARSED_BYTES = 256 * 1024;
/** The largest document whose values are not counted before it is parsed. */
const MAX_UNCOUNTED_BYTES = 64 * 1024;
/** The end of a larger document in which members are found, in bytes. */
const MAX_END_BYTES = 64 * 1024;

/** Reads one JSON document for a format. */
export interface DocumentHandler {
  readonly report: ResponseFacts;
  /** Whether the document is generated text, whose bytes are counted until it can be parsed. */
  readonly generatesText: boolean;
  /** The largest document that is parsed as a whole, in bytes; 256 KiB unless set. */
  readonly maxParsedBytes?: number;
  /** The members that are found at the end of a document too large to parse. */
  readonly lastMembers: readonly string[];
  /**
   * Reads the document.
   * @param isWhole whether all members are known, not only some of `lastMembers`
   */
  readDocument(document: JsonObject, isWhole: boolean): void;
}

/**
 * Reads a response that is one JSON document. Its bytes pass at once and unchanged. A large
 * document is not kept: the members that a format needs are found in its last 64 KiB,
 * where all vendors write their usage; the output is then counted as all bytes.
 */
export class JsonDocumentReader implements ResponseReader {
  private readonly kept = new ByteCollector();
  private isLarge = false;

  constructor(private readonly handler: DocumentHandler) {}

  get report(): ResponseFacts {
    return this.handler.report;
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.handler.generatesText) this.report.outputBytes += chunk.length;
    this.kept.add(chunk);
    if (this.kept.length > (this.handler.maxParsedBytes ?? MAX_PARSED_BYTES)) {
      this.isLarge = true;
      this.kept.add(this.kept.take().slice(-MAX_END_BYTES));
    }
    return chunk;
  }

  end(): undefined {
    const bytes = toBuffer(this.kept.take());
    const isWhole = !this.isLarge && (bytes.length <= MAX_UNCOUNTED_BYTES || exceededLimit(bytes) === undefined);
    const document = isWhole
      ? parseJsonObject(bytes.toString('utf8'))
      : findLastMembers(bytes.subarray(-MAX_END_BYTES), this.handler.lastMembers);
    if (document === undefined) return;
    this.report.isComplete = true;
    this.handler.readDocument(document, isWhole);
  }
}

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Occurrences of a name that are examined, from the last one: each needs a walk to the end. */
const MAX_OCCURRENCES = 4;

/** @returns members of a document from its last bytes; undefined if it does not end as one */
function findLastMembers(end: Buffer, names: readonly string[]): JsonObject | undefined {
  if (!/\}\s*$/.test(end.subarray(-64).toString('latin1'))) return undefined;
  const places = new Map(names.map((name): [string, FoundKey<string>[]] => [name, []]));
  new KeyFinder(names).visit(end, (key) => places.get(key.name)?.push(key));
  const members: Record<string, unknown> = {};
  for (const [name, keys] of places) {
    const last = keys.slice(-MAX_OCCURRENCES).findLast(({ keyStart }) => isAtTopLevel(end, keyStart));
    if (last !== undefined) members[name] = parseValue(end.subarray(last.valueStart));
  }
  return members;
}

function parseValue(bytes: Buffer): unknown {
  try {
    const { start, end } = new JsonReader(bytes).skip();
    return JSON.parse(bytes.subarray(start, end).toString('utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
