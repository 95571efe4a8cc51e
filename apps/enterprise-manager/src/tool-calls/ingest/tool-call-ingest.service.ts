import { inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { readItem, readItems } from '@gatehouse/service-kit/batch-item';
import { Batches, type BatchLimits, togetherElseAlone } from '@gatehouse/service-kit/batches';
import { Clock } from '@gatehouse/service-kit/clock';
import { chainIdOf, recordHash } from '@gatehouse/signed-config/tool-call-chain';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { keptFromIn, oldestTaken } from '../../billing/partitions/kept-from.ts';
import { type ChainHead, ChainHeadsRepository } from '../chains/chain-heads.repository.ts';
import { Checkpoints } from '../chains/checkpoints.service.ts';
import type { ToolCall } from '../records/metering.dto.ts';
import { ToolCallRecord, fingerprintOf } from '../records/tool-call-record.ts';
import { contradictionOf, type TakenTimes, untimelinessOf } from './tool-call-rules.ts';
import { ToolCallSumsRepository } from '../sums/tool-call-sums.repository.ts';
import { type LinkedCall, type Names, ToolCallsRepository } from '../records/tool-calls.repository.ts';

/**
 * What became of one record of a batch. A repeat that says something else is a duplicate with an
 * `error`: the first one stays.
 */
export interface Receipt {
  status: 'stored' | 'duplicate' | 'rejected';
  error?: string;
}

/** A well-formed record, and a fingerprint of what the gateway said. */
interface Reported {
  record: ToolCallRecord & { gateway_id: string; environment: string };
  digest: string;
}

const RETRIES = 5;
const KEPT_FROM = keptFromIn('tool_call_retention');
/**
 * Reports of one gateway that come while another is stored are stored together: they would wait for
 * the end of the chain anyway, and sums grow once for all of them. Others run beside one only when
 * it is held up for long, and may be so before it has the chain.
 */
const LIMITS: BatchLimits = { size: 4, running: 4, patienceMs: 1_000, waiting: 100 };
const OTHER_CONTENT = 'call_id: another record has this id already; it stays as it is';

/** Takes in the records of gateways, each once. */
@Injectable()
export class ToolCallIngest {
  private readonly batches = new Map<string, Batches<readonly (Reported | string)[], Receipt[]>>();

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
   * Stores a report in one transaction: after a crash all of it is there or nothing, with its
   * places in the chain and its part of the sums. A record that is not well formed is rejected
   * alone.
   * @returns one receipt for each item, in order
   * @throws HttpError unavailable where too many reports of the gateway wait already
   */
  async take(gatewayId: string, calls: readonly unknown[]): Promise<Receipt[]> {
    const report = await readItems(calls, (call) => this.read(gatewayId, call));
    let batches = this.batches.get(gatewayId);
    if (batches === undefined) {
      batches = new Batches(
        (reports) => togetherElseAlone(reports, (some) => this.storeAll(gatewayId, some), isUnavailable),
        LIMITS,
      );
      this.batches.set(gatewayId, batches);
    }
    return batches.add(report);
  }

  private async storeAll(
    gatewayId: string,
    reports: readonly (readonly (Reported | string)[])[],
  ): Promise<Receipt[][]> {
    const times = await this.takenTimes();
    const timely = (one: Reported | string) =>
      typeof one === 'string' ? one : (untimelinessOf(one.record, times) ?? one);
    return this.storeTimely(
      gatewayId,
      reports.map((report) => report.map(timely)),
    );
  }

  private async takenTimes(): Promise<TakenTimes> {
    const now = this.clock.now();
    const kept = await KEPT_FROM.row(this.dataSource.manager);
    return { now, oldest: oldestTaken(kept, this.settings.TOOL_CALL_RETENTION_DAYS, now) };
  }

  private async storeTimely(
    gatewayId: string,
    reports: readonly (readonly (Reported | string)[])[],
  ): Promise<Receipt[][]> {
    const first = new Map<string, Reported>();
    for (const one of reports.flat()) {
      if (typeof one !== 'string' && !first.has(one.record.call_id)) first.set(one.record.call_id, one);
    }
    const { stored, held } = await this.store(gatewayId, first);
    const receiptOf = (one: Reported | string): Receipt => {
      if (typeof one === 'string') return { status: 'rejected', error: one };
      const id = one.record.call_id;
      const winner = first.get(id);
      if (winner === one && stored.has(id)) return { status: 'stored' };
      const kept = stored.has(id) ? winner?.digest : held.get(id);
      return kept === one.digest ? { status: 'duplicate' } : { status: 'duplicate', error: OTHER_CONTENT };
    };
    return reports.map((report) => report.map(receiptOf));
  }

  private async store(gatewayId: string, reported: ReadonlyMap<string, Reported>) {
    const nothing: { stored: ReadonlySet<string>; held: ReadonlyMap<string, string> } = {
      stored: new Set(),
      held: new Map(),
    };
    if (reported.size === 0) return nothing;
    const ids = [...reported.keys()];
    const digests = new Map([...reported].map(([id, { digest }]) => [id, digest]));
    const { users, ...done } = await inTransaction(
      this.dataSource,
      async (manager) => {
        const stored = await this.toolCalls.claim(manager, digests, this.clock.now().toISOString());
        const held = await this.toolCalls.claimed(
          manager,
          ids.filter((id) => !stored.has(id)),
        );
        const records = [...reported.values()].filter(({ record }) => stored.has(record.call_id));
        const users = records.length > 0 ? await this.link(manager, gatewayId, records) : [];
        return { stored, held, users };
      },
      { retries: RETRIES },
    );
    this.sums.remember(users);
    return done;
  }

  /**
   * Gives new records their places. The end of the gateway's chain is locked as late as possible
   * and until the commit: places are given in the order of commits, so that no record ever appears
   * in front of one that a reader has seen.
   * @returns what to remember of the sums after the commit
   */
  private async link(
    manager: EntityManager,
    gatewayId: string,
    records: readonly Reported[],
  ): Promise<readonly string[]> {
    const names = await this.toolCalls.names(manager, mentioned(records));
    const usages = records.map(({ record }) => usageOf(gatewayId, record, names));
    const texts = usages.map((usage) => JSON.stringify(usage));
    const sums = this.sums.of(gatewayId, usages);
    const now = this.clock.now().toISOString();
    const head = await this.heads.lock(manager, gatewayId, now);
    // Clocks of replicas differ; arrivals never go back.
    const arrived_at = now > head.arrived_at ? now : head.arrived_at;
    const chain_id = chainIdOf(gatewayId, arrived_at);
    let end: ChainHead =
      chain_id === chainIdOf(gatewayId, head.arrived_at)
        ? { ...head, arrived_at }
        : { arrived_at, sequence: 0, chain_hash: '', signed_at: null, signed_sequence: 0, signed_by: null };
    const linked = usages.map((usage, at): LinkedCall => {
      const [sequence, prev_hash] = [end.sequence + 1, end.chain_hash];
      const record_hash = recordHash({ chain_id, sequence, prev_hash }, texts[at] ?? '');
      end = { ...end, sequence, chain_hash: record_hash };
      return { usage, arrived_at, sequence, prev_hash, record_hash };
    });
    await this.toolCalls.insert(manager, linked);
    await sums.add(manager);
    await this.heads.move(manager, gatewayId, await this.checkpoints.keepWhenDue(manager, gatewayId, chain_id, end));
    return sums.users;
  }

  /** A record, or the sentence that says why there is none. */
  private read(gatewayId: string, call: unknown): Reported | string {
    const read = readItem({ schema: ToolCallRecord }, call);
    if ('error' in read) return read.error;
    const record = read.item;
    if (record.gateway_id && record.gateway_id !== gatewayId) return 'gateway_id: is not the gateway of this request';
    const contradiction = contradictionOf(record);
    if (contradiction !== undefined) return contradiction;
    const complete = {
      ...record,
      gateway_id: gatewayId,
      environment: record.environment || this.settings.ENVIRONMENT,
    };
    return { record: complete, digest: fingerprintOf(complete) };
  }
}

/** What of records has a name in the directory, where they do not say it themselves. */
function mentioned(records: readonly Reported[]) {
  const [connectors, users, groups] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { record } of records) {
    if (record.connector_id && !record.connector_name) connectors.add(record.connector_id);
    if (record.user_id && !record.user_email) users.add(record.user_id);
    for (const { id, name } of record.groups ?? []) if (!name) groups.add(id);
  }
  return { connectors, users, groups };
}

/** A group that a record names twice holds its caller once. */
const onceEach = <Group extends { id: string }>(groups: readonly Group[]): Group[] => [
  ...new Map(groups.map((group) => [group.id, group])).values(),
];

/**
 * A group of a record, members in the order of their names. A name that the record itself says
 * comes first.
 */
function groupRefOf(id: string, name: string | undefined, { groups }: Names): ToolCall['groups'][number] {
  if (name) return { id, name };
  const known = groups.get(id);
  return known ? { display_name: known.display_name, id, name: known.name } : { id, name: '' };
}

/**
 * A record as readers get it, for ever: what the directory calls things now is part of it. Its
 * members are in the order of their names, so that writing it as JSON gives its canonical text.
 */
function usageOf(gatewayId: string, record: Reported['record'], names: Names): ToolCall {
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
    groups: onceEach(record.groups ?? []).map(({ id, name }) => groupRefOf(id, name, names)),
    occurred_at: record.occurred_at,
    outcome: record.outcome,
    tool_name: record.tool_name,
    ...(email && { user_email: email }),
    ...(record.user_id && { user_id: record.user_id }),
  };
}
