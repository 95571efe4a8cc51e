import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { isJsonObject, type JsonObject } from './canonical.ts';
import { ALGORITHMS, type ChainHead, type ChainStart, type Checkpoint } from './tool-call-chain.ts';

/** The first error in an export. */
export interface BadRecord {
  /** The place, such as `november.ndjson:3`. */
  where: string;
  chain_id?: string;
  sequence?: number;
  call_id?: string;
  /** The error as a sentence. */
  reason: string;
}

/** Ends a verification at the first error. */
export class BadExportError extends GatehouseError {
  override readonly code = 'invalid_export';
  constructor(readonly record: BadRecord) {
    super(record.reason);
  }
}

/** A page of an export with known members only. */
export interface ExportPage {
  records: unknown[];
  checkpoints: (Checkpoint & JsonObject)[];
  head?: ChainHead & JsonObject;
  chain_starts: (ChainStart & JsonObject)[];
  next_cursor?: string;
}

/** A record of a page. */
export interface ExportRecord {
  id: unknown;
  chain_id: string;
  sequence: number;
  prev_hash: string;
  record_hash: string;
  usage: JsonObject;
}

const PAGE = ['records', 'checkpoints', 'head', 'chain_starts', 'next_cursor', 'resume_cursor'];
const RECORD = ['id', 'chain_id', 'sequence', 'prev_hash', 'record_hash', 'usage'];
const SIGNED = ['chain_id', 'hash_alg', 'sig_alg', 'key_id', 'signed_at', 'signature'];
const CHECKPOINT = ['chain_hash', ...SIGNED];
const START = ['statement', 'previous_chain_id', 'previous_hash', ...SIGNED];

/**
 * Reads a page. Unknown members are refused, since no hash or signature covers them.
 * @throws BadExportError
 */
export function readPage(page: unknown, where: string): ExportPage {
  if (!isJsonObject(page) || !Array.isArray(page['records']) || !Array.isArray(page['checkpoints']))
    throw new BadExportError({ where, reason: 'this is not a page of an export: records or checkpoints are missing' });
  refuseUnknown(page, PAGE, 'the page', { where });
  const { head, chain_starts: starts = [], next_cursor: next } = page;
  if (next !== undefined && typeof next !== 'string')
    throw new BadExportError({ where, reason: 'the next_cursor of the page is not text' });
  if (!Array.isArray(starts))
    throw new BadExportError({ where, reason: 'the chain_starts of the page are not a list' });
  return {
    records: page['records'],
    checkpoints: page['checkpoints'].map(
      (each) => readStatement(each, CHECKPOINT, ['sequence'], 'a checkpoint', where) as Checkpoint & JsonObject,
    ),
    ...(head !== undefined && {
      head: readStatement(head, ['statement', ...CHECKPOINT], ['sequence'], 'the head', where, 'head') as ChainHead &
        JsonObject,
    }),
    chain_starts: starts.map(
      (each) =>
        readStatement(each, START, ['previous_sequence'], 'a chain start', where, 'chain_start') as ChainStart &
          JsonObject,
    ),
    ...(typeof next === 'string' && { next_cursor: next }),
  };
}

/** Reads a record. @throws BadExportError */
export function readRecord(record: unknown, where: string): ExportRecord {
  if (!isJsonObject(record) || !isJsonObject(record['usage']))
    throw new BadExportError({ where, reason: 'this is not a record of an export' });
  const { id, chain_id, sequence, prev_hash, record_hash, usage } = record;
  if (
    typeof chain_id !== 'string' ||
    typeof sequence !== 'number' ||
    typeof prev_hash !== 'string' ||
    typeof record_hash !== 'string'
  )
    throw new BadExportError({
      where,
      reason: 'the chain_id, sequence, prev_hash or record_hash of a record is missing or invalid',
    });
  const call_id = usage['call_id'];
  const place = { where, chain_id, sequence, ...(typeof call_id === 'string' && { call_id }) };
  refuseUnknown(record, RECORD, 'the record', place);
  return { id, chain_id, sequence, prev_hash, record_hash, usage };
}

type Statement = { chain_id: string; hash_alg: string; sig_alg: string };

/** Reads a signed statement with exactly these members. */
function readStatement(
  value: unknown,
  texts: readonly string[],
  numbers: readonly string[],
  label: string,
  where: string,
  kind?: string,
): JsonObject {
  if (
    !isJsonObject(value) ||
    !texts.every((name) => typeof value[name] === 'string') ||
    !numbers.every((name) => typeof value[name] === 'number') ||
    value['statement'] !== kind
  )
    throw new BadExportError({ where, reason: `a field of ${label} is missing or invalid` });
  const read = value as unknown as Statement;
  const place = {
    where,
    chain_id: read.chain_id,
    ...(numbers[0] === 'sequence' && { sequence: Number(value['sequence']) }),
  };
  refuseUnknown(value, [...texts, ...numbers], label, place);
  if (read.hash_alg !== ALGORITHMS.hash_alg || read.sig_alg !== ALGORITHMS.sig_alg)
    throw new BadExportError({
      ...place,
      reason: `the algorithms of ${label} are not ${ALGORITHMS.hash_alg} and ${ALGORITHMS.sig_alg}`,
    });
  return value;
}

function refuseUnknown(
  value: JsonObject,
  known: readonly string[],
  label: string,
  place: Omit<BadRecord, 'reason'>,
): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const shown = JSON.stringify(unknown.slice(0, 100));
  throw new BadExportError({ ...place, reason: `${label} has the unknown member ${shown}` });
}
