import { inTransaction } from '@gatehouse/database/transaction';
import { readItem } from '@gatehouse/service-kit/batch-item';
import { Clock } from '@gatehouse/service-kit/clock';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../config.ts';
import { ToolCallRecord, fingerprintOf } from './tool-call-record.ts';
import { type ToolCallRow, ToolCallsRepository } from './tool-calls.repository.ts';

/** What became of one record of a batch. A repeat that says something else is a duplicate with an `error`: the first one stays. */
export interface Receipt {
  status: 'stored' | 'duplicate' | 'rejected';
  error?: string;
}

const RETRIES = 5;
const OTHER_CONTENT = 'call_id: another record has this id already; it stays as it is';

/** Takes in the records of gateways, each once. */
@Injectable()
export class ToolCallIngest {
  constructor(
    private readonly toolCalls: ToolCallsRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Stores a batch in one transaction: after a crash all of it is there or nothing. A record that is not well formed is rejected alone.
   * @returns one receipt for each item, in order
   */
  async take(gatewayId: string, calls: readonly unknown[]): Promise<Receipt[]> {
    const read = calls.map((call) => this.read(gatewayId, call));
    const first = new Map<string, ToolCallRow>();
    for (const row of read) {
      if (typeof row !== 'string' && !first.has(row.call_id)) first.set(row.call_id, row);
    }
    const rows = [...first.values()];
    const { stored, held } = await inTransaction(
      this.dataSource,
      async (manager) => {
        const stored = await this.toolCalls.insert(manager, rows, this.clock.now().toISOString());
        const repeated = rows.map(({ call_id }) => call_id).filter((id) => !stored.has(id));
        return { stored, held: await this.toolCalls.fingerprints(manager, repeated) };
      },
      { retries: RETRIES },
    );
    return read.map((row) => {
      if (typeof row === 'string') return { status: 'rejected', error: row };
      const winner = first.get(row.call_id);
      if (winner === row && stored.has(row.call_id)) return { status: 'stored' };
      const kept = stored.has(row.call_id) ? winner?.content_sha256 : held.get(row.call_id);
      return kept === row.content_sha256 ? { status: 'duplicate' } : { status: 'duplicate', error: OTHER_CONTENT };
    });
  }

  /** A row, or the sentence that says why there is none. */
  private read(gatewayId: string, call: unknown): ToolCallRow | string {
    const read = readItem(ToolCallRecord, call);
    if ('error' in read) return read.error;
    const record = read.item;
    if (record.gateway_id && record.gateway_id !== gatewayId) return 'gateway_id: is not the gateway of this request';
    const complete = {
      ...record,
      gateway_id: gatewayId,
      environment: record.environment || this.settings.ENVIRONMENT,
    };
    return {
      call_id: record.call_id,
      occurred_at: record.occurred_at,
      gateway_id: gatewayId,
      environment: complete.environment,
      connector_id: record.connector_id || null,
      connector_name: record.connector_name || null,
      tool_name: record.tool_name,
      user_id: record.user_id || null,
      user_email: record.user_email || null,
      groups: (record.groups ?? []).map(({ id, name }) => ({ id, name: name || null })),
      decision: record.decision,
      outcome: record.outcome,
      category: record.category,
      billable: record.billable,
      billable_reason: record.billable_reason || null,
      definition_version: record.definition_version || null,
      duration_ms: record.duration_ms ?? null,
      arguments_sha256: record.arguments_sha256 || null,
      content_sha256: fingerprintOf(complete),
    };
  }
}
