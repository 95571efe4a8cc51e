import { inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { readItem, readItems } from '@gatehouse/service-kit/batch-item';
import { Batches, type BatchLimits, batchWithFallback } from '@gatehouse/service-kit/batches';
import { Clock } from '@gatehouse/service-kit/clock';
import { formatChainId, recordHash } from '@gatehouse/signed-config/tool-call-chain';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { selectRetentionStart, getOldestAcceptedTime } from '../../billing/partitions/retention-start.ts';
import { type ChainHead, ChainHeadsRepository } from '../chains/chain-heads.repository.ts';
import { Checkpoints } from '../chains/checkpoints.service.ts';
import type { ToolCall } from '../records/tool-call.dto.ts';
import { ToolCallRecord, hashRecord } from '../records/tool-call-record.ts';
import { checkConsistency, type AcceptedTimes, checkTime } from './tool-call-rules.ts';
import { ToolCallSumsRepository } from '../sums/tool-call-sums.repository.ts';
import { type ChainedCall, type Names, ToolCallsRepository } from '../records/tool-calls.repository.ts';

/**
 * The result of one record of a batch. A repeat with other content is a duplicate with an `error`;
 * the first record stays.
 */
export interface Receipt {
  status: 'stored' | 'duplicate' | 'rejected';
  error?: string;
}

/** A valid record with its hash. */
interface HashedRecord {
  record: ToolCallRecord & { gateway_id: string; environment: string };
  digest: string;
}

/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;
const RETENTION_START = selectRetentionStart('tool_call_retention');
/**
 * Batches of one gateway that arrive during a transaction share the next one: they would wait for
 * the lock of the chain anyway, and the sums are written once. A second transaction starts only
 * after a long wait, since the first one may be blocked before it has the lock.
 */
const LIMITS: BatchLimits = { size: 4, running: 4, patienceMs: 1_000, waiting: 100 };
const OTHER_CONTENT = 'call_id: another record has this id already; it stays as it is';

/** Stores the records of gateways, each once. */
@Injectable()
export class ToolCallIngest {
  private readonly batches = new Map<string, Batches<readonly (HashedRecord | string)[], Receipt[]>>();

  constructor(
    private readonly toolCalls: ToolCallsRepository,
    private readonly heads: ChainHeadsRepository,
    private readonly sums: ToolCallSumsRepository,
    private readonly checkpoints: Checkpoints,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Stores a batch in one transaction, with the positions of its records in the chain and their
   * sums. Invalid records are rejected separately.
   * @returns one receipt for each item, in order
   * @throws HttpError unavailable if too many batches of the gateway are waiting
   */
  async store(gatewayId: string, calls: readonly unknown[]): Promise<Receipt[]> {
    const batch = await readItems(calls, (call) => this.parse(gatewayId, call));
    let batches = this.batches.get(gatewayId);
    if (batches === undefined) {
      batches = new Batches(
        (waiting) => batchWithFallback(waiting, (some) => this.storeBatches(gatewayId, some), isUnavailable),
        LIMITS,
      );
      this.batches.set(gatewayId, batches);
    }
    return batches.add(batch);
  }

  private async storeBatches(
    gatewayId: string,
    reports: readonly (readonly (HashedRecord | string)[])[],
  ): Promise<Receipt[][]> {
    const times = await this.getAcceptedTimes();
    const rejectByTime = (one: HashedRecord | string) =>
      typeof one === 'string' ? one : (checkTime(one.record, times) ?? one);
    return this.storeAccepted(
      gatewayId,
      reports.map((report) => report.map(rejectByTime)),
    );
  }

  private async getAcceptedTimes(): Promise<AcceptedTimes> {
    const now = this.clock.now();
    const kept = await RETENTION_START.row(this.dataSource.manager);
    return { now, oldest: getOldestAcceptedTime(kept, this.settings.TOOL_CALL_RETENTION_DAYS, now) };
  }

  private async storeAccepted(
    gatewayId: string,
    reports: readonly (readonly (HashedRecord | string)[])[],
  ): Promise<Receipt[][]> {
    const first = new Map<string, HashedRecord>();
    for (const one of reports.flat()) {
      if (typeof one !== 'string' && !first.has(one.record.call_id)) first.set(one.record.call_id, one);
    }
    const { stored, claimed } = await this.storeNew(gatewayId, first);
    const toReceipt = (one: HashedRecord | string): Receipt => {
      if (typeof one === 'string') return { status: 'rejected', error: one };
      const id = one.record.call_id;
      const winner = first.get(id);
      if (winner === one && stored.has(id)) return { status: 'stored' };
      const digest = stored.has(id) ? winner?.digest : claimed.get(id);
      return digest === one.digest ? { status: 'duplicate' } : { status: 'duplicate', error: OTHER_CONTENT };
    };
    return reports.map((report) => report.map(toReceipt));
  }

  private async storeNew(gatewayId: string, records: ReadonlyMap<string, HashedRecord>) {
    if (records.size === 0) return { stored: new Set<string>(), claimed: new Map<string, string>() };
    const ids = [...records.keys()];
    const digests = new Map([...records].map(([id, { digest }]) => [id, digest]));
    const { users, ...result } = await inTransaction(
      this.dataSource,
      async (manager) => {
        const stored = await this.toolCalls.claim(manager, digests, this.clock.now().toISOString());
        const claimed = await this.toolCalls.findClaimed(
          manager,
          ids.filter((id) => !stored.has(id)),
        );
        const fresh = [...records.values()].filter(({ record }) => stored.has(record.call_id));
        const users = fresh.length > 0 ? await this.appendToChain(manager, gatewayId, fresh) : [];
        return { stored, claimed, users };
      },
      { retries: MAX_RETRIES },
    );
    this.sums.remember(users);
    return result;
  }

  /**
   * Appends new records to the chain of the gateway. The chain is locked as late as possible and
   * until the commit, so positions follow the order of commits and readers miss no record.
   * @returns the counted users to remember after the commit
   */
  private async appendToChain(
    manager: EntityManager,
    gatewayId: string,
    records: readonly HashedRecord[],
  ): Promise<readonly string[]> {
    const names = await this.toolCalls.findNames(manager, collectIdsWithoutName(records));
    const usages = records.map(({ record }) => toToolCall(gatewayId, record, names));
    const texts = usages.map((usage) => JSON.stringify(usage));
    const sums = this.sums.compute(gatewayId, usages);
    const now = this.clock.now().toISOString();
    const head = await this.heads.lock(manager, gatewayId, now);
    // The clocks of replicas differ; arrival times never decrease.
    const arrived_at = now > head.arrived_at ? now : head.arrived_at;
    const chain_id = formatChainId(gatewayId, arrived_at);
    let end: ChainHead =
      chain_id === formatChainId(gatewayId, head.arrived_at)
        ? { ...head, arrived_at }
        : { arrived_at, sequence: 0, chain_hash: '', signed_at: null, signed_sequence: 0, signed_by: null };
    const chained = usages.map((usage, at): ChainedCall => {
      const [sequence, prev_hash] = [end.sequence + 1, end.chain_hash];
      const record_hash = recordHash({ chain_id, sequence, prev_hash }, texts[at] ?? '');
      end = { ...end, sequence, chain_hash: record_hash };
      return { usage, arrived_at, sequence, prev_hash, record_hash };
    });
    await this.toolCalls.insert(manager, chained);
    await sums.add(manager);
    await this.heads.update(manager, gatewayId, await this.checkpoints.storeWhenDue(manager, gatewayId, chain_id, end));
    return sums.users;
  }

  /** Parses a record. @returns the sentence that names its faults, for an invalid record */
  private parse(gatewayId: string, call: unknown): HashedRecord | string {
    const read = readItem({ schema: ToolCallRecord }, call);
    if ('error' in read) return read.error;
    const record = read.item;
    if (record.gateway_id && record.gateway_id !== gatewayId) return 'gateway_id: is not the gateway of this request';
    const inconsistency = checkConsistency(record);
    if (inconsistency !== undefined) return inconsistency;
    const complete = {
      ...record,
      gateway_id: gatewayId,
      environment: record.environment || this.settings.ENVIRONMENT,
    };
    return { record: complete, digest: hashRecord(complete) };
  }
}

/** Collects the ids of connectors, users and groups whose names the records lack. */
function collectIdsWithoutName(records: readonly HashedRecord[]) {
  const [connectors, users, groups] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { record } of records) {
    if (record.connector_id && !record.connector_name) connectors.add(record.connector_id);
    if (record.user_id && !record.user_email) users.add(record.user_id);
    for (const { id, name } of record.groups ?? []) if (!name) groups.add(id);
  }
  return { connectors, users, groups };
}

/** Removes groups that a record names twice. */
const removeDuplicates = <Group extends { id: string }>(groups: readonly Group[]): Group[] => [
  ...new Map(groups.map((group) => [group.id, group])).values(),
];

/**
 * Converts a group of a record; the name in the record takes precedence. Members are in the order
 * of their names.
 */
function toGroupRef(id: string, name: string | undefined, { groups }: Names): ToolCall['groups'][number] {
  if (name) return { id, name };
  const known = groups.get(id);
  return known ? { display_name: known.display_name, id, name: known.name } : { id, name: '' };
}

/**
 * Converts a record to its permanent form, with the current names of the directory. Its members are
 * in the order of their names, so that its JSON is its canonical text.
 */
function toToolCall(gatewayId: string, record: HashedRecord['record'], names: Names): ToolCall {
  const connectorName = record.connector_name || names.connectors.get(record.connector_id ?? '');
  const email = record.user_email || names.emails.get(record.user_id ?? '');
  return {
    ...(record.arguments_sha256 && { arguments_sha256: record.arguments_sha256 }),
    billable: record.billable,
    ...(record.billable_reason && { billable_reason: record.billable_reason }),
    call_id: record.call_id,
    category: record.category,
    ...(record.connector_id && { connector_id: record.connector_id }),
    ...(connectorName && { connector_name: connectorName }),
    decision: record.decision,
    ...(record.definition_version && { definition_version: record.definition_version }),
    ...(record.duration_ms !== undefined && { duration_ms: record.duration_ms }),
    environment: record.environment,
    gateway_id: gatewayId,
    groups: removeDuplicates(record.groups ?? []).map(({ id, name }) => toGroupRef(id, name, names)),
    occurred_at: record.occurred_at,
    outcome: record.outcome,
    tool_name: record.tool_name,
    ...(email && { user_email: email }),
    ...(record.user_id && { user_id: record.user_id }),
  };
}
