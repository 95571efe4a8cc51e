import type { CryptoKey } from 'jose';
import type { JsonObject } from './canonical.ts';
import { SignedConfigError } from './errors.ts';
import { keyOf } from './key-set.ts';
import { type BadRecord, BadExportError, type ExportPage, readPage, readRecord } from './export-page.ts';
import {
  type ChainHead,
  type ChainStart,
  type Checkpoint,
  isSignedBy,
  recordHash,
  usageText,
} from './tool-call-chain.ts';

export type { BadRecord } from './export-page.ts';

/** What verification goes by. */
export interface VerificationOptions {
  /** The key set of the manager (RFC 7517). */
  jwks: unknown;
  /**
   * The export leaves records out: every record is verified, and continuity only where nothing is
   * missing.
   */
  filtered?: boolean;
  /**
   * The export goes on where an earlier one ended: its first record need not be the first of its
   * chain.
   */
  continued?: boolean;
  /**
   * The export must reach this record of its last chain. It need not have a signed head then: it
   * may be of an older manager, or a part.
   */
  through?: number;
  /** An export without any record is whole too. */
  allowEmpty?: boolean;
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

/** What came of a verification; whole when there is no `bad`. */
export interface Verification {
  records: number;
  checkpoints: number;
  chains: VerifiedChain[];
  /** When the last record here was the last one of the gateway, as the signed head says. */
  complete_at?: string;
  bad?: BadRecord;
}

interface Chain extends VerifiedChain {
  /** How many of the records at the end no checkpoint vouches for yet, and the first of them. */
  open: number;
  openFrom: BadRecord | undefined;
  lastWhere: string;
}

/**
 * Verifies an export of tool calls page by page, in the order in which it was made, without asking
 * anybody. Checkpoints come with the page that holds their record. It holds one entry for each
 * chain, so that exports may be of any size.
 */
export class ToolCallVerifier {
  private readonly chains = new Map<string, Chain>();
  private readonly keys = new Map<string, Promise<CryptoKey>>();
  private readonly seen = { records: 0, checkpoints: 0 };
  private current: string | undefined;
  private bad: BadRecord | undefined;
  /** The last page, by what tells whether something comes after it. */
  private last: { where: string; next: boolean; head: ChainHead | undefined } | undefined;

  constructor(private readonly options: VerificationOptions) {}

  /** Takes a page. @returns false when something was wrong: nothing after that is looked at */
  async take(page: unknown, where: string): Promise<boolean> {
    if (this.bad) return false;
    try {
      await this.takePage(page, where);
    } catch (error) {
      if (!(error instanceof BadExportError)) throw error;
      this.bad = error.record;
    }
    return this.bad === undefined;
  }

  /**
   * What came of it. Unless the export leaves records out, a checkpoint must vouch for the records
   * at the end of each chain, and a signed head says that none is missing after them.
   */
  result(): Verification {
    const chains = [...this.chains.values()];
    const bad = this.bad ?? this.unattested() ?? this.incomplete();
    return {
      ...this.seen,
      chains: chains.map(({ open, openFrom, lastWhere, ...shown }) => shown),
      ...(this.last?.head && { complete_at: this.last.head.signed_at }),
      ...(bad && { bad }),
    };
  }

  private unattested(): BadRecord | undefined {
    if (this.options.filtered) return undefined;
    return [...this.chains.values()].find(({ open }) => open > 0)?.openFrom;
  }

  private incomplete(): BadRecord | undefined {
    const { filtered, through, allowEmpty } = this.options;
    const where = this.last?.where ?? 'the export';
    if (this.seen.records === 0 && !allowEmpty)
      return { where, reason: 'there is no record in it; an export may be empty with --allow-empty alone' };
    if (through !== undefined) return this.shortOf(through, where);
    if (this.last?.next) return { where, reason: 'the last page has a next_cursor: the pages after it are missing' };
    if (filtered || this.last === undefined || this.last.head !== undefined) return undefined;
    return {
      where,
      reason:
        'the last page has no signed head, so that records may be missing after it; say with --through which record it must reach',
    };
  }

  private shortOf(through: number, where: string): BadRecord | undefined {
    const chain = this.current === undefined ? undefined : this.chains.get(this.current);
    const reached = chain?.last_sequence ?? 0;
    if (reached >= through) return undefined;
    const place = { where, ...(chain && { chain_id: chain.chain_id }) };
    return { ...place, reason: `it ends at record ${reached}, and should reach record ${through}` };
  }

  private async takePage(value: unknown, where: string): Promise<void> {
    const page = readPage(value, where);
    const checkpoints = await this.checkpointsOf(page, where);
    const starts = await this.startsOf(page, where);
    for (const record of page.records) this.takeRecord(record, where, checkpoints, starts);
    this.requireNothingLeft(where, checkpoints, starts);
    if (page.head) await this.takeHead(page.head, where);
    this.last = { where, next: page.next_cursor !== undefined, head: page.head };
  }

  private requireNothingLeft(
    where: string,
    checkpoints: ReadonlyMap<string, Checkpoint>,
    starts: ReadonlyMap<string, ChainStart>,
  ): void {
    if (this.options.filtered) return;
    const [checkpoint] = checkpoints.values();
    if (checkpoint)
      throw bad(checkpoint, where, 'a checkpoint is signed for this record, and the page does not hold it');
    const [start] = starts.values();
    if (start)
      throw bad(
        { ...start, sequence: 1 },
        where,
        'the beginning of its chain is signed, and the page does not hold it',
      );
  }

  private async checkpointsOf({ checkpoints }: ExportPage, where: string) {
    const byPlace = new Map<string, Checkpoint & JsonObject>();
    for (const checkpoint of checkpoints) {
      await this.requireSignature(checkpoint, checkpoint.sequence, where, 'checkpoint');
      this.seen.checkpoints += 1;
      const other = byPlace.get(placeOf(checkpoint));
      if (other && other.chain_hash !== checkpoint.chain_hash)
        throw bad(checkpoint, where, 'two checkpoints say different things of one record');
      byPlace.set(placeOf(checkpoint), checkpoint);
    }
    return byPlace;
  }

  private async startsOf({ chain_starts }: ExportPage, where: string) {
    const byChain = new Map<string, ChainStart>();
    for (const start of chain_starts) {
      await this.requireSignature(start, 1, where, 'chain start');
      if (byChain.has(start.chain_id))
        throw bad({ ...start, sequence: 1 }, where, 'the beginning of its chain is here twice');
      byChain.set(start.chain_id, start);
    }
    return byChain;
  }

  /** The head is about the record before it, whatever page that is on. */
  private async takeHead(head: ChainHead & JsonObject, where: string): Promise<void> {
    await this.requireSignature(head, head.sequence, where, 'head');
    const chain = this.current === undefined ? undefined : this.chains.get(this.current);
    if (chain === undefined) {
      if (head.sequence === 0 || this.options.continued || this.options.filtered) return;
      throw bad(head, where, `the signed head says that there are ${head.sequence} records, and none is here`);
    }
    if (
      chain.chain_id === head.chain_id &&
      chain.last_sequence === head.sequence &&
      chain.chain_hash === head.chain_hash
    )
      return;
    throw bad(
      head,
      where,
      `the signed head names this record as the last one, and the records here end at ${chain.last_sequence} of ${chain.chain_id}`,
    );
  }

  private takeRecord(
    record: unknown,
    where: string,
    checkpoints: Map<string, Checkpoint & JsonObject>,
    starts: Map<string, ChainStart>,
  ): void {
    const { id, chain_id, sequence, prev_hash, record_hash, usage } = readRecord(record, where);
    const link = { chain_id, sequence, prev_hash };
    const wrong = (reason: string) => bad({ ...link, call_id: usage['call_id'] }, where, reason);
    if (!Number.isSafeInteger(sequence) || sequence < 1) throw wrong('its sequence is not a whole number from 1 on');
    if (!isChainOf(chain_id, usage['gateway_id'])) throw wrong('it is a record of another gateway than its chain');
    if (id !== usage['call_id']) throw wrong('its id is not the call_id of what it records');
    if (recordHash(link, usageText(usage)) !== record_hash)
      throw wrong('it was changed: its record_hash is not that of its content');
    const chain = this.follow(link, where, wrong, starts);
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
    wrong: (reason: string) => BadExportError,
    starts: Map<string, ChainStart>,
  ): Chain {
    const { filtered, continued } = this.options;
    const known = this.chains.get(chain_id);
    if (!known) {
      if (sequence === 1 && prev_hash !== '') throw wrong('it is the first of its chain, and names one before it');
      if (sequence > 1 && !filtered && !(continued && this.chains.size === 0))
        throw wrong(`it is the first that is here of its chain: the records 1 to ${sequence - 1} are missing`);
      if (sequence === 1) {
        this.requireStart(starts.get(chain_id), wrong);
        starts.delete(chain_id);
      }
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

  /** The chain that was here before must be whole, and none between may be missing. */
  private requireStart(start: ChainStart | undefined, wrong: (reason: string) => BadExportError): void {
    const { filtered, continued, through } = this.options;
    if (filtered) return;
    if (start === undefined) {
      if (through !== undefined) return;
      throw wrong(
        'the page has no signed beginning of its chain, so that records may be missing before it; an export with a filter, or of the own calls of a user, is verified with --filtered',
      );
    }
    const before = this.current === undefined ? undefined : this.chains.get(this.current);
    const { previous_chain_id, previous_sequence, previous_hash } = start;
    // Without an earlier chain here, an export that goes on may have seen it, and one that begins
    // may not leave it out.
    if (before === undefined && (continued || previous_chain_id === '')) return;
    if (
      before?.chain_id === previous_chain_id &&
      before.last_sequence === previous_sequence &&
      before.chain_hash === previous_hash
    )
      return;
    throw wrong(
      previous_chain_id === ''
        ? 'its chain is the first one that was kept, and another one is before it here'
        : `it follows record ${previous_sequence} of ${previous_chain_id}, which is not the record before it here`,
    );
  }

  private async requireSignature(
    statement: JsonObject & { chain_id: string; key_id: string; signature: string },
    sequence: number,
    where: string,
    what: string,
  ): Promise<void> {
    const place = { chain_id: statement.chain_id, sequence };
    const key = await this.key(statement.key_id).catch((error: unknown) => {
      if (!(error instanceof SignedConfigError)) throw error;
      throw bad(place, where, `its ${what} names a key that cannot be used: ${error.message}`);
    });
    if (!(await isSignedBy(statement, key))) throw bad(place, where, `the signature of its ${what} is not valid`);
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
): BadExportError =>
  new BadExportError({ where, chain_id, sequence, ...(typeof call_id === 'string' && { call_id }), reason });
