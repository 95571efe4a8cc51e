import type { CryptoKey } from 'jose';
import type { JsonObject } from './canonical.ts';
import { SignedConfigError } from './errors.ts';
import { keyOf } from './key-set.ts';
import { ALGORITHMS, type Checkpoint, isSignedBy, recordHash, usageText } from './tool-call-chain.ts';

/** What verification goes by. */
export interface VerificationOptions {
  /** The key set of the manager (RFC 7517). */
  jwks: unknown;
  /** The export leaves records out: every record is verified, and continuity only where nothing is missing. */
  filtered?: boolean;
  /** The export goes on where an earlier one ended: its first record need not be the first of its chain. */
  continued?: boolean;
}

/** What is known of a chain after verification. */
export interface VerifiedChain {
  chain_id: string;
  records: number;
  first_sequence: number;
  last_sequence: number;
  /** Hash of the last record: what a later export must go on from. */
  chain_hash: string;
  /** Records that a signed checkpoint vouches for, itself or through the records after them. */
  attested: number;
  /** Places at which records are left out. */
  gaps: number;
}

/** The first thing that is wrong with an export. */
export interface BadRecord {
  /** Where it is, such as `november.ndjson:3`. */
  where: string;
  chain_id?: string;
  sequence?: number;
  call_id?: string;
  /** What is wrong, one sentence. */
  reason: string;
}

/** What came of a verification; whole when there is no `bad`. */
export interface Verification {
  records: number;
  checkpoints: number;
  chains: VerifiedChain[];
  bad?: BadRecord;
}

interface Chain extends VerifiedChain {
  /** How many of the records at the end no checkpoint vouches for yet, and the first of them. */
  open: number;
  openFrom: BadRecord | undefined;
  lastWhere: string;
}

/** Ends a verification at the first thing that is wrong. */
class Bad extends Error {
  constructor(readonly record: BadRecord) {
    super(record.reason);
  }
}

/**
 * Verifies an export of tool calls page by page, in the order in which it was made, without asking anybody. Checkpoints come with the page that holds their
 * record. It holds one entry for each chain, so that exports may be of any size.
 */
export class ToolCallVerifier {
  private readonly chains = new Map<string, Chain>();
  private readonly keys = new Map<string, Promise<CryptoKey>>();
  private readonly seen = { records: 0, checkpoints: 0 };
  private current: string | undefined;
  private bad: BadRecord | undefined;

  constructor(private readonly options: VerificationOptions) {}

  /** Takes a page. @returns false when something was wrong: nothing after that is looked at */
  async take(page: unknown, where: string): Promise<boolean> {
    if (this.bad) return false;
    try {
      await this.takePage(page, where);
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      this.bad = error.record;
    }
    return this.bad === undefined;
  }

  /** What came of it. Records at the end of a chain for which no checkpoint vouches are wrong too, unless the export leaves records out. */
  result(): Verification {
    const chains = [...this.chains.values()];
    const unattested = chains.find(({ open }) => open > 0)?.openFrom;
    const bad = this.bad ?? (this.options.filtered ? undefined : unattested);
    return {
      ...this.seen,
      chains: chains.map(({ open, openFrom, lastWhere, ...shown }) => shown),
      ...(bad && { bad }),
    };
  }

  private async takePage(page: unknown, where: string): Promise<void> {
    if (!isObject(page) || !Array.isArray(page['records']) || !Array.isArray(page['checkpoints']))
      throw new Bad({ where, reason: 'this is not a page of an export: it has no records and checkpoints' });
    const checkpoints = new Map<string, Checkpoint & JsonObject>();
    for (const each of page['checkpoints'] as unknown[]) {
      const checkpoint = await this.readCheckpoint(each, where);
      const other = checkpoints.get(placeOf(checkpoint));
      if (other && other.chain_hash !== checkpoint.chain_hash)
        throw bad(checkpoint, where, 'two checkpoints say different things of one record');
      checkpoints.set(placeOf(checkpoint), checkpoint);
    }
    for (const record of page['records'] as unknown[]) this.takeRecord(record, where, checkpoints);
    const [left] = checkpoints.values();
    if (left && !this.options.filtered)
      throw bad(left, where, 'a checkpoint is signed for this record, and the page does not hold it');
  }

  private takeRecord(record: unknown, where: string, checkpoints: Map<string, Checkpoint & JsonObject>): void {
    if (!isObject(record) || !isObject(record['usage']))
      throw new Bad({ where, reason: 'this is not a record of an export' });
    const { chain_id, sequence, prev_hash, record_hash } = record;
    const usage = record['usage'];
    if (
      typeof chain_id !== 'string' ||
      typeof sequence !== 'number' ||
      typeof prev_hash !== 'string' ||
      typeof record_hash !== 'string'
    )
      throw new Bad({ where, reason: 'a record lacks its chain_id, sequence, prev_hash or record_hash' });
    const link = { chain_id, sequence, prev_hash };
    const wrong = (reason: string) => bad({ ...link, call_id: usage['call_id'] }, where, reason);
    if (!Number.isSafeInteger(sequence) || sequence < 1) throw wrong('its sequence is not a whole number from 1 on');
    if (!isChainOf(chain_id, usage['gateway_id'])) throw wrong('it is a record of another gateway than its chain');
    if (record['id'] !== usage['call_id']) throw wrong('its id is not the call_id of what it records');
    if (recordHash(link, usageText(usage)) !== record_hash)
      throw wrong('it was changed: its record_hash is not that of its content');
    const chain = this.follow(link, where, wrong);
    chain.records += 1;
    chain.last_sequence = sequence;
    chain.chain_hash = record_hash;
    chain.lastWhere = where;
    this.seen.records += 1;
    chain.open += 1;
    chain.openFrom ??= {
      where,
      chain_id,
      sequence,
      ...(typeof usage['call_id'] === 'string' && { call_id: usage['call_id'] }),
      reason: 'no signed checkpoint vouches for it or for a record after it',
    };
    const checkpoint = checkpoints.get(placeOf(link));
    if (!checkpoint) return;
    if (checkpoint.chain_hash !== record_hash)
      throw wrong('it is not the record that was signed: the checkpoint has another hash');
    checkpoints.delete(placeOf(link));
    chain.attested += chain.open;
    chain.open = 0;
    chain.openFrom = undefined;
  }

  /** The chain in which a record is the next one. */
  private follow(
    { chain_id, sequence, prev_hash }: { chain_id: string; sequence: number; prev_hash: string },
    where: string,
    wrong: (reason: string) => Bad,
  ): Chain {
    const { filtered, continued } = this.options;
    const known = this.chains.get(chain_id);
    if (!known) {
      if (sequence === 1 && prev_hash !== '') throw wrong('it is the first of its chain, and names one before it');
      if (sequence > 1 && !filtered && !(continued && this.chains.size === 0))
        throw wrong(`it is the first that is here of its chain: the records 1 to ${sequence - 1} are missing`);
      const chain = {
        chain_id,
        records: 0,
        first_sequence: sequence,
        last_sequence: sequence,
        chain_hash: '',
        attested: 0,
        gaps: 0,
      };
      const made: Chain = { ...chain, open: 0, openFrom: undefined, lastWhere: where };
      if (filtered && sequence > 1) made.gaps = 1;
      this.chains.set(chain_id, made);
      this.current = chain_id;
      return made;
    }
    if (this.current !== chain_id) throw wrong('it comes after records of another chain: chains do not mix');
    const last = known.last_sequence;
    if (sequence === last) throw wrong(`it is here twice: record ${last} was there already`);
    if (sequence < last) throw wrong(`it is out of order: it comes after record ${last}`);
    if (sequence > last + 1) {
      if (!filtered) throw wrong(missing(last + 1, sequence - 1));
      known.gaps += 1;
      // What a later checkpoint vouches for does not reach over a gap.
      known.open = 0;
      known.openFrom = undefined;
    } else if (prev_hash !== known.chain_hash)
      throw wrong(`it does not follow record ${last}: its prev_hash is another one`);
    return known;
  }

  private async readCheckpoint(value: unknown, where: string): Promise<Checkpoint & JsonObject> {
    const texts = ['chain_id', 'chain_hash', 'hash_alg', 'sig_alg', 'signature', 'key_id', 'signed_at'];
    if (
      !isObject(value) ||
      !texts.every((name) => typeof value[name] === 'string') ||
      typeof value['sequence'] !== 'number'
    )
      throw new Bad({ where, reason: 'a checkpoint lacks one of its fields' });
    const checkpoint = value as unknown as Checkpoint & JsonObject;
    if (checkpoint.hash_alg !== ALGORITHMS.hash_alg || checkpoint.sig_alg !== ALGORITHMS.sig_alg)
      throw bad(checkpoint, where, `its checkpoint is not of ${ALGORITHMS.hash_alg} and ${ALGORITHMS.sig_alg}`);
    const key = await this.key(checkpoint.key_id).catch((error: unknown) => {
      if (!(error instanceof SignedConfigError)) throw error;
      throw bad(checkpoint, where, `its checkpoint names a key that cannot be used: ${error.message}`);
    });
    if (!(await isSignedBy(checkpoint, key)))
      throw bad(checkpoint, where, 'the signature of its checkpoint is not valid');
    this.seen.checkpoints += 1;
    return checkpoint;
  }

  private key(kid: string): Promise<CryptoKey> {
    const known = this.keys.get(kid) ?? keyOf(this.options.jwks, kid);
    this.keys.set(kid, known);
    return known;
  }
}

const missing = (from: number, to: number): string =>
  from === to ? `record ${from} before it is missing` : `the records ${from} to ${to} before it are missing`;

const isChainOf = (chainId: string, gatewayId: unknown): boolean =>
  typeof gatewayId === 'string' &&
  chainId.startsWith(`${gatewayId}:`) &&
  /^\d{4}-(?:0[1-9]|1[0-2])$/.test(chainId.slice(gatewayId.length + 1));

const placeOf = ({ chain_id, sequence }: { chain_id: string; sequence: number }) => `${sequence} ${chain_id}`;

const bad = (
  { chain_id, sequence, call_id }: { chain_id: string; sequence: number; call_id?: unknown },
  where: string,
  reason: string,
): Bad => new Bad({ where, chain_id, sequence, ...(typeof call_id === 'string' && { call_id }), reason });

const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
