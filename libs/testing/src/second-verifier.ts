import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';

type Value = Record<string, unknown>;

/** The options of a verification, as in `gatehouse metering verify`. */
export interface ExportCheckOptions {
  filtered?: boolean;
  continued?: boolean;
  through?: number;
  allowEmpty?: boolean;
}

const MEMBERS = {
  page: ['records', 'checkpoints', 'resume_cursor', 'next_cursor?', 'head?', 'chain_starts?'],
  record: ['id', 'chain_id', 'sequence', 'prev_hash', 'record_hash', 'usage'],
  checkpoint: ['chain_id', 'sequence', 'chain_hash', 'hash_alg', 'sig_alg', 'key_id', 'signed_at', 'signature'],
  head: ['statement', 'chain_id', 'sequence', 'chain_hash', 'hash_alg', 'sig_alg', 'key_id', 'signed_at', 'signature'],
  start: [
    ...['statement', 'chain_id', 'previous_chain_id', 'previous_sequence', 'previous_hash'],
    ...['hash_alg', 'sig_alg', 'key_id', 'signed_at', 'signature'],
  ],
} as const;

/**
 * Verifies an export of tool calls as docs/tool-call-exports.md describes it. The verifier uses
 * only the Node API and shares no code with the product's verifier, so their results can be
 * compared.
 * @returns the first fault; undefined for a valid export
 */
export function findExportFault(
  pages: readonly unknown[],
  jwks: unknown,
  options: ExportCheckOptions = {},
): string | undefined {
  try {
    check(pages as Value[], jwks as { keys: (JsonWebKey & { kid: string })[] }, options);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidExportError) return error.message;
    throw error;
  }
}

class InvalidExportError extends Error {}

function demand(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new InvalidExportError(fault);
}

function check(pages: Value[], jwks: { keys: (JsonWebKey & { kid: string })[] }, options: ExportCheckOptions): void {
  for (const page of pages) checkShape(page);
  for (const page of pages)
    for (const signed of [...list(page, 'checkpoints'), ...list(page, 'chain_starts'), ...one(page, 'head')])
      demand(hasSignature(signed, jwks.keys), 'a signature is not valid');
  const records = pages.flatMap((page) => list(page, 'records'));
  for (const record of records) checkContent(record);
  checkOrder(records, options);
  for (const page of pages) checkCheckpoints(page, options);
  if (!options.filtered) checkEnds(pages, records);
  if (!options.filtered) checkStarts(pages, records, options);
  checkHeads(pages, options);
  demand(records.length > 0 || options.allowEmpty === true, 'the export is empty');
  const last = pages.at(-1);
  if (options.through !== undefined)
    demand(Number(records.at(-1)?.['sequence'] ?? 0) >= options.through, 'the export ends before the requested record');
  else if (last !== undefined) {
    demand(last['next_cursor'] === undefined, 'pages are missing at the end');
    demand(options.filtered === true || last['head'] !== undefined, 'the last page has no head');
  }
}

function checkShape(page: Value): void {
  demand(has(page, MEMBERS.page.slice(0, 2)) && only(page, MEMBERS.page), 'a page has wrong members');
  for (const record of list(page, 'records')) demand(exactly(record, MEMBERS.record), 'a record has wrong members');
  for (const each of list(page, 'checkpoints'))
    demand(exactly(each, MEMBERS.checkpoint), 'a checkpoint has wrong members');
  for (const each of one(page, 'head'))
    demand(exactly(each, MEMBERS.head) && each['statement'] === 'head', 'a head is invalid');
  for (const each of list(page, 'chain_starts'))
    demand(exactly(each, MEMBERS.start) && each['statement'] === 'chain_start', 'a chain start is invalid');
}

function checkContent(record: Value): void {
  const usage = record['usage'] as Value;
  const { chain_id, sequence, prev_hash } = record;
  const digest = createHash('sha256').update(jcs({ chain_id, sequence, prev_hash, usage })).digest('hex');
  demand(digest === record['record_hash'], 'a record was changed');
  demand(record['id'] === usage['call_id'], 'an id differs from the id of its call');
  const gateway = String(usage['gateway_id']).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  demand(
    new RegExp(`^${gateway}:[0-9]{4}-(0[1-9]|1[0-2])$`).test(String(chain_id)),
    'a chain belongs to another gateway',
  );
}

function checkOrder(records: Value[], { filtered, continued }: ExportCheckOptions): void {
  const ended = new Set<unknown>();
  records.forEach((record, at) => {
    const before = records[at - 1];
    const [sequence, prev_hash] = [Number(record['sequence']), record['prev_hash']];
    demand(Number.isSafeInteger(sequence) && sequence > 0, 'a sequence is not a positive integer');
    if (before?.['chain_id'] === record['chain_id']) {
      const step = sequence - Number(before?.['sequence']);
      demand(filtered ? step > 0 : step === 1, 'records are missing, duplicate or out of order');
      demand(step > 1 || prev_hash === before?.['record_hash'], 'a link is broken');
      return;
    }
    demand(!ended.has(record['chain_id']), 'chains are mixed');
    ended.add(record['chain_id']);
    demand(sequence > 1 || prev_hash === '', 'the first record of a chain has a previous hash');
    demand(sequence === 1 || filtered === true || (continued === true && at === 0), 'the beginning is missing');
  });
}

function checkCheckpoints(page: Value, { filtered }: ExportCheckOptions): void {
  for (const checkpoint of list(page, 'checkpoints')) {
    const target = list(page, 'records').find((record) => isAt(record, checkpoint));
    demand(target !== undefined || filtered === true, 'a checkpoint refers to no record of its page');
    demand(
      target === undefined || target['record_hash'] === checkpoint['chain_hash'],
      'a checkpoint has the hash of another record',
    );
    const first = list(page, 'checkpoints').find((other) => isAt(other, checkpoint));
    demand(first?.['chain_hash'] === checkpoint['chain_hash'], 'two checkpoints of one record differ');
  }
}

/** The last record of each chain must be signed. */
function checkEnds(pages: Value[], records: Value[]): void {
  const ends = records.filter((record, at) => records[at + 1]?.['chain_id'] !== record['chain_id']);
  for (const end of ends) {
    const page = pages.find((each) => list(each, 'records').includes(end)) ?? {};
    demand(
      list(page, 'checkpoints').some((checkpoint) => isAt(end, checkpoint)),
      'the last record of a chain is not signed',
    );
  }
}

function checkStarts(pages: Value[], records: Value[], { continued, through }: ExportCheckOptions): void {
  for (const page of pages) {
    const starts = list(page, 'chain_starts');
    const firsts = list(page, 'records').filter(({ sequence }) => sequence === 1);
    demand(new Set(starts.map(({ chain_id }) => chain_id)).size === starts.length, 'a chain starts twice');
    demand(
      starts.every((start) => firsts.some(({ chain_id }) => chain_id === start['chain_id'])),
      'a chain start refers to no record of its page',
    );
    for (const first of firsts) {
      const start = starts.find(({ chain_id }) => chain_id === first['chain_id']);
      demand(start !== undefined || through !== undefined, 'a chain start is missing');
      const before = records[records.indexOf(first) - 1];
      if (start === undefined || (before === undefined && continued)) continue;
      const { previous_chain_id: chain, previous_sequence: sequence, previous_hash: hash } = start;
      if (before === undefined) demand(chain === '', 'earlier chains are missing');
      else
        demand(
          before['chain_id'] === chain && before['sequence'] === sequence && before['record_hash'] === hash,
          'the end of the previous chain is missing',
        );
    }
  }
}

function checkHeads(pages: Value[], { continued, filtered }: ExportCheckOptions): void {
  let last: Value | undefined;
  for (const page of pages) {
    last = list(page, 'records').at(-1) ?? last;
    for (const head of one(page, 'head')) {
      if (last === undefined)
        demand(
          head['sequence'] === 0 || continued === true || filtered === true,
          'all records before a head are missing',
        );
      else demand(isAt(last, head) && last['record_hash'] === head['chain_hash'], 'records are missing before a head');
    }
  }
}

function hasSignature(signed: Value, keys: (JsonWebKey & { kid: string })[]): boolean {
  const { signature, ...unsigned } = signed;
  if (unsigned['hash_alg'] !== 'SHA-256' || unsigned['sig_alg'] !== 'ES256') return false;
  const named = keys.filter(({ kid }) => kid === unsigned['key_id']);
  const bytes = Buffer.from(String(signature), 'base64url');
  if (named.length !== 1 || bytes.toString('base64url') !== signature) return false;
  return verify(
    'sha256',
    Buffer.from(jcs(unsigned)),
    { key: publicKey(named[0] ?? {}), dsaEncoding: 'ieee-p1363' },
    bytes,
  );
}

const publicKey = ({ kty, crv, x, y }: JsonWebKey): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty, crv, x, y } as JsonWebKey });

/** The canonical JSON of a value (RFC 8785). */
function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs((value as Value)[name])}`).join(',')}}`;
}

const isAt = (one: Value, other: Value) =>
  one['chain_id'] === other['chain_id'] && one['sequence'] === other['sequence'];
const list = (page: Value, name: string) => (page[name] ?? []) as Value[];
const one = (page: Value, name: string) => (page[name] === undefined ? [] : [page[name] as Value]);
const has = (value: Value, names: readonly string[]) => names.every((name) => Object.keys(value).includes(name));
const only = (value: Value, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name) || names.includes(`${name}?`));
const exactly = (value: Value, names: readonly string[]) => has(value, names) && only(value, names);
