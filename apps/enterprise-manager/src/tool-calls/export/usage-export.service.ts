import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { type CursorBinding, CursorCodec } from '@gatehouse/service-kit/cursor';
import {
  type ChainHead,
  type ChainStart,
  type Checkpoint,
  ALGORITHMS,
  chainIdOf,
} from '@gatehouse/signed-config/tool-call-chain';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Gateways } from '../../gateways/settings/gateways.ts';
import type { GroupRef } from '../../access/policies/policies.dto.ts';
import { ChainHeadsRepository, type Place } from '../chains/chain-heads.repository.ts';
import { Checkpoints } from '../chains/checkpoints.service.ts';
import { VisibleConnectors } from '../sums/visible-connectors.ts';
import { toToolCall } from '../records/tool-calls.repository.ts';
import { type ExportFilter, type ExportRow, UsageExportRepository } from './usage-export.repository.ts';
import type { ExportQuery, UsageExport } from '../records/usage.dto.ts';
import { requireOrder, WhoseCalls } from '../records/whose-calls.ts';

/**
 * A page ends when its records have so many characters, so that it stays what a client can take.
 */
const PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Before everything. */
const START: Place = { arrived_at: '1970-01-01T00:00:00.000Z', sequence: 0 };

/** What a page of a whole export holds, and how far it reaches. */
interface Reached {
  rows: readonly ExportRow[];
  more: boolean;
  reached: Place;
  signed_at: string;
}

/**
 * Records for whoever keeps or checks them: chained, signed, each exactly once for a reader that
 * keeps its cursor.
 */
@Injectable()
export class UsageExportService {
  constructor(
    private readonly records: UsageExportRepository,
    private readonly heads: ChainHeadsRepository,
    private readonly checkpoints: Checkpoints,
    private readonly whose: WhoseCalls,
    private readonly visible: VisibleConnectors,
    private readonly gateways: Gateways,
    private readonly cursors: CursorCodec,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @throws HttpError not_found for an unknown gateway, invalid */
  async page(caller: Caller, { cursor, limit, ...asked }: ExportQuery): Promise<UsageExport> {
    this.gateways.require(asked.gateway_id);
    requireOrder(asked);
    const binding: CursorBinding = { list: 'usage-export', filters: asked, caller };
    const after = cursor === undefined ? START : placeOf(this.cursors.open(binding, cursor));
    const user_id = await this.whose.of(caller);
    const isWhole = [asked.environment, user_id, asked.start, asked.end].every((value) => value === undefined);
    // Before the look: what was acknowledged until then is seen by it.
    const signed_at = this.clock.now().toISOString();
    const { found, seen } = isWhole
      ? { found: await this.records.read(asked, after, undefined, limit), seen: undefined }
      : await this.filtered(caller, { ...asked, user_id }, after, limit);
    const rows = found.slice(0, fitting(found.slice(0, limit)));
    const last = rows.at(-1);
    const more = rows.length < found.length;
    const reached = (more ? last : (seen ?? last)) ?? after;
    const resume_cursor = this.cursors.seal(binding, [reached.arrived_at, reached.sequence]);
    return {
      records: rows.map(exported),
      checkpoints: await this.vouch(asked.gateway_id, rows),
      ...(isWhole && (await this.continuity(asked.gateway_id, { rows, more, reached, signed_at }))),
      ...((more || seen !== undefined) && { next_cursor: resume_cursor }),
      resume_cursor,
    };
  }

  /**
   * The records of a page with a filter; `seen` is the last place that was looked at when records
   * may follow it.
   */
  private async filtered(caller: Caller, filter: Omit<ExportFilter, 'visible'>, after: Place, limit: number) {
    const bound = await this.records.bound(filter.gateway_id, after);
    if (bound === undefined) return { found: [], seen: undefined };
    // After the bound: a connector that is called later has no record before it, so the cursor
    // passes none.
    const visible = await this.visible.of(caller, filter.gateway_id, filter.user_id);
    const found = await this.records.read({ ...filter, visible }, after, bound.place, limit);
    return { found, seen: bound.more ? bound.place : undefined };
  }

  /** What shows that nothing is missing before, between and after the records of a whole export. */
  private async continuity(gateway_id: string, { rows, more, reached, signed_at }: Reached) {
    const chain_starts: ChainStart[] = [];
    for (const row of rows.filter(({ sequence }) => sequence === 1)) {
      const start = await this.startOf(gateway_id, row);
      if (start) chain_starts.push(start);
    }
    const head = more ? undefined : await this.headAt(gateway_id, reached, signed_at);
    return { ...(head && { head }), ...(chain_starts.length > 0 && { chain_starts }) };
  }

  private async startOf(gatewayId: string, { arrived_at }: Place): Promise<ChainStart | undefined> {
    const before = await this.heads.lastUntil(this.dataSource.manager, gatewayId, { arrived_at, sequence: 0 });
    return this.checkpoints.signStart({
      chain_id: chainIdOf(gatewayId, arrived_at),
      previous_chain_id: before ? chainIdOf(gatewayId, before.arrived_at) : '',
      previous_sequence: before?.sequence ?? 0,
      previous_hash: before?.record_hash ?? '',
    });
  }

  /**
   * The head at the end of a page behind which there was nothing. It is not there where the last
   * record has ended with its retention.
   */
  private async headAt(gatewayId: string, reached: Place, signed_at: string): Promise<ChainHead | undefined> {
    const last = await this.heads.lastUntil(this.dataSource.manager, gatewayId, reached);
    if (last === undefined && reached.sequence > 0) return undefined;
    return this.checkpoints.signHead({
      chain_id: chainIdOf(gatewayId, last?.arrived_at ?? signed_at),
      sequence: last?.sequence ?? 0,
      chain_hash: last?.record_hash ?? '',
      signed_at,
    });
  }

  /**
   * What was signed of the records on a page; the last one of each chain is signed now when it was
   * not before.
   */
  private async vouch(gatewayId: string, rows: readonly ExportRow[]): Promise<Checkpoint[]> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return [];
    const shown = this.checkpoints.shown();
    const here = new Set(rows.map(({ arrived_at, sequence }) => `${arrived_at} ${sequence}`));
    const kept: Checkpoint[] = (await this.heads.kept(this.dataSource.manager, gatewayId, [first, last]))
      .filter(({ key_id, arrived_at, sequence }) => shown.has(key_id) && here.has(`${arrived_at} ${sequence}`))
      .map(({ arrived_at, ...checkpoint }) => ({
        chain_id: chainIdOf(gatewayId, arrived_at),
        ...ALGORITHMS,
        ...checkpoint,
      }));
    const ends = new Map(rows.map((row) => [chainIdOf(gatewayId, row.arrived_at), row]));
    for (const [chain_id, { sequence, record_hash }] of ends) {
      if (kept.some((one) => one.chain_id === chain_id && one.sequence === sequence)) continue;
      const signed = await this.checkpoints.sign(chain_id, sequence, record_hash);
      if (signed) kept.push(signed);
    }
    return kept;
  }
}

const placeOf = ([arrived_at, sequence]: readonly unknown[]): Place => ({
  arrived_at: String(arrived_at),
  sequence: Number(sequence),
});

const charactersOf = ({ id, name, display_name = '' }: GroupRef): number =>
  id.length + name.length + display_name.length + 40;

/** How many of the rows fit on a page; always one. */
function fitting(rows: readonly ExportRow[]): number {
  let characters = 0;
  for (const [at, { groups }] of rows.entries()) {
    characters += 1_000 + (groups ?? []).reduce((sum, group) => sum + charactersOf(group), 0);
    if (characters > PAGE_CHARACTERS && at > 0) return at;
  }
  return rows.length;
}

const exported = ({
  arrived_at,
  sequence,
  prev_hash,
  record_hash,
  ...record
}: ExportRow): UsageExport['records'][number] => ({
  id: record.call_id ?? '',
  chain_id: chainIdOf(record.gateway_id ?? '', arrived_at),
  sequence,
  prev_hash,
  record_hash,
  usage: toToolCall(record),
});
