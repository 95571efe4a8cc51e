import type { CryptoKey } from 'jose';
import type { JsonObject } from './canonical.ts';
import { SignedConfigError } from './errors.ts';
import { importKey } from './key-set.ts';
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

/** Options of a verification. */
export interface VerificationOptions {
  /** The key set of the manager (RFC 7517). */
  jwks: unknown;
  /** The export is filtered: every record is verified, and gaps between records are allowed. */
  filtered?: boolean;
  /** The export continues an earlier one: its first record need not be the first of its chain. */
  continued?: boolean;
  /** The export must reach this record of its last chain. It then needs no signed head. */
  through?: number;
  /** Accept an export without records. */
  allowEmpty?: boolean;
}

/** The result for one chain. */
export interface VerifiedChain {
  chain_id: string;
  records: number;
  first_sequence: number;
  last_sequence: number;
  /** Hash of the last record, with which a later export continues. */
  chain_hash: string;
  /** Records before or at a signed checkpoint. */
  attested: number;
  /** Number of gaps. */
  gaps: number;
}

/** The result of a verification; successful without `bad`. */
export interface Verification {
  records: number;
  checkpoints: number;
  chains: VerifiedChain[];
  /** Time at which the last record was the gateway's last one, by the signed head. */
  complete_at?: string;
  bad?: BadRecord;
}

interface Chain extends VerifiedChain {
  /** Number of last records without a checkpoint, and the first of them. */
  open: number;
  openFrom: BadRecord | undefined;
  lastWhere: string;
}

/**
 * Verifies an export of tool calls offline, page by page, in its order. A checkpoint comes with the
 * page of its record. Memory is one entry for each chain, so exports may have any size.
 */
export class ToolCallVerifier {
  private readonly chains = new Map<string, Chain>();
  private readonly keys = new Map<string, Promise<CryptoKey>>();
  private readonly seen = { records: 0, checkpoints: 0 };
  private current: string | undefined;
  private bad: BadRecord | undefined;
  /** The last page, for the check of the end. */
  private last: { where: string; next: boolean; head: ChainHead | undefined } | undefined;

  constructor(private readonly options: VerificationOptions) {}

  /** Verifies a page. @returns false after an error; later pages are not read */
  async take(page: unknown, where: string): Promise<boolean> {
    if (this.bad) return false;
    try {
      await this.verifyPage(page, where);
    } catch (error) {
      if (!(error instanceof BadExportError)) throw error;
      this.bad = error.record;
    }
    return this.bad === undefined;
  }

  /**
   * The result. Unless the export is filtered, a checkpoint must cover the last records of each
   * chain, and a signed head must confirm the end.
   */
  result(): Verification {
    const chains = [...this.chains.values()];
    const bad = this.bad ?? this.findUnattested() ?? this.findIncomplete();
    return {
      ...this.seen,
      chains: chains.map(({ open, openFrom, lastWhere, ...shown }) => shown),
      ...(this.last?.head && { complete_at: this.last.head.signed_at }),
      ...(bad && { bad }),
    };
  }

  private findUnattested(): BadRecord | undefined {
    if (this.options.filtered) return undefined;
    return [...this.chains.values()].find(({ open }) => open > 0)?.openFrom;
  }

  private findIncomplete(): BadRecord | undefined {
    const { filtered, through, allowEmpty } = this.options;
    const where = this.last?.where ?? 'the export';
    if (this.seen.records === 0 && !allowEmpty)
      return { where, reason: 'there is no record in it; add --allow-empty if the export may be empty' };
    if (through !== undefined) return this.findShortfall(through, where);
    if (this.last?.next) return { where, reason: 'the last page has a next_cursor: the pages after it are missing' };
    if (filtered || this.last === undefined || this.last.head !== undefined) return undefined;
    return {
      where,
      reason:
        'the last page has no signed head, so records may be missing after it; name the record that it must reach with --through',
    };
  }

  private findShortfall(through: number, where: string): BadRecord | undefined {
    const chain = this.current === undefined ? undefined : this.chains.get(this.current);
    const reached = chain?.last_sequence ?? 0;
    if (reached >= through) return undefined;
    const place = { where, ...(chain && { chain_id: chain.chain_id }) };
    return { ...place, reason: `it ends at record ${reached}, but must reach record ${through}` };
  }

  private async verifyPage(value: unknown, where: string): Promise<void> {
    const page = readPage(value, where);
    const checkpoints = await this.verifyCheckpoints(page, where);
    const starts = await this.verifyChainStarts(page, where);
    for (const record of page.records) this.verifyRecord(record, where, checkpoints, starts);
    this.requireAllUsed(where, checkpoints, starts);
    if (page.head) await this.verifyHead(page.head, where);
    this.last = { where, next: page.next_cursor !== undefined, head: page.head };
  }

  private requireAllUsed(
    where: string,
    checkpoints: ReadonlyMap<string, Checkpoint>,
    starts: ReadonlyMap<string, ChainStart>,
  ): void {
    if (this.options.filtered) return;
    const [checkpoint] = checkpoints.values();
    if (checkpoint)
      throw badExport(checkpoint, where, 'the page contains the checkpoint of this record, but not the record');
    const [start] = starts.values();
    if (start)
      throw badExport(
        { ...start, sequence: 1 },
        where,
        'the page contains the signed chain start of this record, but not the record',
      );
  }

  private async verifyCheckpoints({ checkpoints }: ExportPage, where: string) {
    const byPlace = new Map<string, Checkpoint & JsonObject>();
    for (const checkpoint of checkpoints) {
      await this.requireSignature(checkpoint, checkpoint.sequence, where, 'checkpoint');
      this.seen.checkpoints += 1;
      const other = byPlace.get(formatPlace(checkpoint));
      if (other && other.chain_hash !== checkpoint.chain_hash)
        throw badExport(checkpoint, where, 'two checkpoints have different hashes for this record');
      byPlace.set(formatPlace(checkpoint), checkpoint);
    }
    return byPlace;
  }

  private async verifyChainStarts({ chain_starts }: ExportPage, where: string) {
    const byChain = new Map<string, ChainStart>();
    for (const start of chain_starts) {
      await this.requireSignature(start, 1, where, 'chain start');
      if (byChain.has(start.chain_id))
        throw badExport({ ...start, sequence: 1 }, where, 'the page has two signed beginnings of its chain');
      byChain.set(start.chain_id, start);
    }
    return byChain;
  }

  /** A head names the record before it, also of an earlier page. */
  private async verifyHead(head: ChainHead & JsonObject, where: string): Promise<void> {
    await this.requireSignature(head, head.sequence, where, 'head');
    const chain = this.current === undefined ? undefined : this.chains.get(this.current);
    if (chain === undefined) {
      if (head.sequence === 0 || this.options.continued || this.options.filtered) return;
      throw badExport(head, where, `the signed head names record ${head.sequence} as the last one, but none is here`);
    }
    if (
      chain.chain_id === head.chain_id &&
      chain.last_sequence === head.sequence &&
      chain.chain_hash === head.chain_hash
    )
      return;
    throw badExport(
      head,
      where,
      `the signed head names this record as the last one, but the records here end at ${chain.last_sequence} of ${chain.chain_id}`,
    );
  }

  private verifyRecord(
    record: unknown,
    where: string,
    checkpoints: Map<string, Checkpoint & JsonObject>,
    starts: Map<string, ChainStart>,
  ): void {
    const { id, chain_id, sequence, prev_hash, record_hash, usage } = readRecord(record, where);
    const link = { chain_id, sequence, prev_hash };
    const wrong = (reason: string) => badExport({ ...link, call_id: usage['call_id'] }, where, reason);
    if (!Number.isSafeInteger(sequence) || sequence < 1)
      throw wrong('its sequence is not a whole number of at least 1');
    if (!isChainOf(chain_id, usage['gateway_id'])) throw wrong('its gateway_id is not the gateway of its chain');
    if (id !== usage['call_id']) throw wrong('its id is not the call_id of its usage');
    if (recordHash(link, usageText(usage)) !== record_hash)
      throw wrong('it was changed: its record_hash is not that of its content');
    const chain = this.appendToChain(link, where, wrong, starts);
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
      reason: 'no signed checkpoint covers it or a record after it',
    };
    const checkpoint = checkpoints.get(formatPlace(link));
    if (!checkpoint) return;
    if (checkpoint.chain_hash !== record_hash)
      throw wrong('it is not the record that was signed: the checkpoint has another hash');
    checkpoints.delete(formatPlace(link));
    chain.attested += chain.open;
    chain.open = 0;
    chain.openFrom = undefined;
  }

  /** The chain that a record continues. */
  private appendToChain(
    { chain_id, sequence, prev_hash }: { chain_id: string; sequence: number; prev_hash: string },
    where: string,
    wrong: (reason: string) => BadExportError,
    starts: Map<string, ChainStart>,
  ): Chain {
    const { filtered, continued } = this.options;
    const known = this.chains.get(chain_id);
    if (!known) {
      if (sequence === 1 && prev_hash !== '')
        throw wrong('it is the first record of its chain, but its prev_hash is not empty');
      if (sequence > 1 && !filtered && !(continued && this.chains.size === 0))
        throw wrong(`it is the first record of its chain here: the records 1 to ${sequence - 1} are missing`);
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
    if (this.current !== chain_id)
      throw wrong('it comes after records of another chain; the records of a chain must be together');
    const last = known.last_sequence;
    if (sequence === last) throw wrong('it is in the export twice');
    if (sequence < last) throw wrong(`it is out of order: it comes after record ${last}`);
    if (sequence > last + 1) {
      if (!filtered) throw wrong(missingRecords(last + 1, sequence - 1));
      known.gaps += 1;
      // A later checkpoint covers no record before a gap.
      known.open = 0;
      known.openFrom = undefined;
    } else if (prev_hash !== known.chain_hash)
      throw wrong(`it does not follow record ${last}: its prev_hash is not the hash of that record`);
    return known;
  }

  /** Checks that a new chain follows the previous chain of the export. */
  private requireStart(start: ChainStart | undefined, wrong: (reason: string) => BadExportError): void {
    const { filtered, continued, through } = this.options;
    if (filtered) return;
    if (start === undefined) {
      if (through !== undefined) return;
      throw wrong(
        'the page has no signed beginning of its chain, so records may be missing before it; verify an export with a filter, or of the calls of one user, with --filtered',
      );
    }
    const before = this.current === undefined ? undefined : this.chains.get(this.current);
    const { previous_chain_id, previous_sequence, previous_hash } = start;
    // Without an earlier chain here, a continued export is valid and a first export must start at
    // the first chain.
    if (before === undefined && (continued || previous_chain_id === '')) return;
    if (
      before?.chain_id === previous_chain_id &&
      before.last_sequence === previous_sequence &&
      before.chain_hash === previous_hash
    )
      return;
    throw wrong(
      previous_chain_id === ''
        ? 'its signed start says that this is the first chain of the gateway, but the export has another chain before it'
        : `it follows record ${previous_sequence} of ${previous_chain_id}, but another record is before it here`,
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
      throw badExport(place, where, `the key of its ${what} cannot be used: ${error.message}`);
    });
    if (!(await isSignedBy(statement, key))) throw badExport(place, where, `the signature of its ${what} is not valid`);
  }

  private key(kid: string): Promise<CryptoKey> {
    const known = this.keys.get(kid) ?? importKey(this.options.jwks, kid);
    this.keys.set(kid, known);
    return known;
  }
}

const missingRecords = (from: number, to: number): string =>
  from === to ? `record ${from} before it is missing` : `the records ${from} to ${to} before it are missing`;

const isChainOf = (chainId: string, gatewayId: unknown): boolean =>
  typeof gatewayId === 'string' &&
  chainId.startsWith(`${gatewayId}:`) &&
  /^\d{4}-(?:0[1-9]|1[0-2])$/.test(chainId.slice(gatewayId.length + 1));

const formatPlace = ({ chain_id, sequence }: { chain_id: string; sequence: number }) => `${sequence} ${chain_id}`;

const badExport = (
  { chain_id, sequence, call_id }: { chain_id: string; sequence: number; call_id?: unknown },
  where: string,
  reason: string,
): BadExportError =>
  new BadExportError({ where, chain_id, sequence, ...(typeof call_id === 'string' && { call_id }), reason });
