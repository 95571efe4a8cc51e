import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { type CursorBinding, CursorCodec } from '@gatehouse/service-kit/cursor';
import {
  type ChainHead,
  type ChainStart,
  type Checkpoint,
  ALGORITHMS,
  formatChainId,
} from '@gatehouse/signed-config/tool-call-chain';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Gateways } from '../../gateways/settings/gateways.ts';
import type { GroupRef } from '../../access/policies/policies.dto.ts';
import { ChainHeadsRepository, type ChainPosition } from '../chains/chain-heads.repository.ts';
import { Checkpoints } from '../chains/checkpoints.service.ts';
import { VisibleConnectors } from '../sums/visible-connectors.ts';
import { toToolCall } from '../records/tool-calls.repository.ts';
import { type ExportFilter, type ExportRow, ToolCallExportRepository } from './tool-call-export.repository.ts';
import type { ExportQuery, UsageExport } from './tool-call-export.dto.ts';
import { requireOrder, CallVisibility } from '../records/call-visibility.ts';

/** Maximum number of characters of a page. */
const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

/** The position before all records. */
const START: ChainPosition = { arrived_at: '1970-01-01T00:00:00.000Z', sequence: 0 };

/** A page of an export without a filter. */
interface WholePage {
  rows: readonly ExportRow[];
  hasMore: boolean;
  /** The last position that the page covers. */
  reached: ChainPosition;
  signed_at: string;
}

/**
 * Exports records with their hash chains and signed checkpoints. A reader that keeps its cursor
 * receives each record once.
 */
@Injectable()
export class ToolCallExportService {
  constructor(
    private readonly records: ToolCallExportRepository,
    private readonly heads: ChainHeadsRepository,
    private readonly checkpoints: Checkpoints,
    private readonly visibility: CallVisibility,
    private readonly connectors: VisibleConnectors,
    private readonly gateways: Gateways,
    private readonly cursors: CursorCodec,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Returns a page of the export. @throws HttpError not_found for an unknown gateway, invalid */
  async getPage(caller: Caller, { cursor, limit, ...query }: ExportQuery): Promise<UsageExport> {
    this.gateways.require(query.gateway_id);
    requireOrder(query);
    const binding: CursorBinding = { list: 'usage-export', filters: query, caller };
    const after = cursor === undefined ? START : toPosition(this.cursors.open(binding, cursor));
    const user_id = await this.visibility.resolveUser(caller);
    const isWhole = [query.environment, user_id, query.start, query.end].every((value) => value === undefined);
    // Taken before the read, which therefore sees all records that were acknowledged until then.
    const signed_at = this.clock.now().toISOString();
    const { found, readUntil } = isWhole
      ? { found: await this.records.read(query, after, undefined, limit), readUntil: undefined }
      : await this.readFiltered(caller, { ...query, user_id }, after, limit);
    const rows = found.slice(0, countFitting(found.slice(0, limit)));
    const last = rows.at(-1);
    const hasMore = rows.length < found.length;
    const reached = (hasMore ? last : (readUntil ?? last)) ?? after;
    const resume_cursor = this.cursors.seal(binding, [reached.arrived_at, reached.sequence]);
    return {
      records: rows.map(toExported),
      checkpoints: await this.listCheckpoints(query.gateway_id, rows),
      ...(isWhole && (await this.proveContinuity(query.gateway_id, { rows, hasMore, reached, signed_at }))),
      ...((hasMore || readUntil !== undefined) && { next_cursor: resume_cursor }),
      resume_cursor,
    };
  }

  /**
   * Reads a page with a filter. `readUntil` is the last position that was read, if records may
   * follow it.
   */
  private async readFiltered(
    caller: Caller,
    filter: Omit<ExportFilter, 'visible'>,
    after: ChainPosition,
    limit: number,
  ) {
    const bound = await this.records.findBound(filter.gateway_id, after);
    if (bound === undefined) return { found: [], readUntil: undefined };
    // Read after the bound: a connector without calls now has no record before the bound, so the
    // cursor skips none of its records.
    const visible = await this.connectors.list(caller, filter.gateway_id, filter.user_id);
    const found = await this.records.read({ ...filter, visible }, after, bound.position, limit);
    return { found, readUntil: bound.hasMore ? bound.position : undefined };
  }

  /** Signs statements which prove that an export without a filter misses no record. */
  private async proveContinuity(gateway_id: string, { rows, hasMore, reached, signed_at }: WholePage) {
    const chain_starts: ChainStart[] = [];
    for (const row of rows.filter(({ sequence }) => sequence === 1)) {
      const start = await this.signChainStart(gateway_id, row);
      if (start) chain_starts.push(start);
    }
    const head = hasMore ? undefined : await this.signHead(gateway_id, reached, signed_at);
    return { ...(head && { head }), ...(chain_starts.length > 0 && { chain_starts }) };
  }

  private async signChainStart(gatewayId: string, { arrived_at }: ChainPosition): Promise<ChainStart | undefined> {
    const before = await this.heads.findLastUntil(this.dataSource.manager, gatewayId, { arrived_at, sequence: 0 });
    return this.checkpoints.signStart({
      chain_id: formatChainId(gatewayId, arrived_at),
      previous_chain_id: before ? formatChainId(gatewayId, before.arrived_at) : '',
      previous_sequence: before?.sequence ?? 0,
      previous_hash: before?.record_hash ?? '',
    });
  }

  /**
   * Signs the head at the end of the newest page; undefined if retention deleted the last record.
   */
  private async signHead(gatewayId: string, reached: ChainPosition, signed_at: string): Promise<ChainHead | undefined> {
    const last = await this.heads.findLastUntil(this.dataSource.manager, gatewayId, reached);
    if (last === undefined && reached.sequence > 0) return undefined;
    return this.checkpoints.signHead({
      chain_id: formatChainId(gatewayId, last?.arrived_at ?? signed_at),
      sequence: last?.sequence ?? 0,
      chain_hash: last?.record_hash ?? '',
      signed_at,
    });
  }

  /**
   * Lists the checkpoints of the records on a page. It signs the last record of each chain if no
   * checkpoint is stored for it.
   */
  private async listCheckpoints(gatewayId: string, rows: readonly ExportRow[]): Promise<Checkpoint[]> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return [];
    const publishedKeys = this.checkpoints.getPublishedKeyIds();
    const positions = new Set(rows.map(({ arrived_at, sequence }) => `${arrived_at} ${sequence}`));
    const checkpoints: Checkpoint[] = (
      await this.heads.listCheckpoints(this.dataSource.manager, gatewayId, [first, last])
    )
      .filter(
        ({ key_id, arrived_at, sequence }) => publishedKeys.has(key_id) && positions.has(`${arrived_at} ${sequence}`),
      )
      .map(({ arrived_at, ...checkpoint }) => ({
        chain_id: formatChainId(gatewayId, arrived_at),
        ...ALGORITHMS,
        ...checkpoint,
      }));
    const ends = new Map(rows.map((row) => [formatChainId(gatewayId, row.arrived_at), row]));
    for (const [chain_id, { sequence, record_hash }] of ends) {
      if (checkpoints.some((one) => one.chain_id === chain_id && one.sequence === sequence)) continue;
      const signed = await this.checkpoints.sign(chain_id, sequence, record_hash);
      if (signed) checkpoints.push(signed);
    }
    return checkpoints;
  }
}

const toPosition = ([arrived_at, sequence]: readonly unknown[]): ChainPosition => ({
  arrived_at: String(arrived_at),
  sequence: Number(sequence),
});

const countCharacters = ({ id, name, display_name = '' }: GroupRef): number =>
  id.length + name.length + display_name.length + 40;

/** Counts the rows that fit on a page, at least one. */
function countFitting(rows: readonly ExportRow[]): number {
  let characters = 0;
  for (const [at, { groups }] of rows.entries()) {
    characters += 1_000 + (groups ?? []).reduce((sum, group) => sum + countCharacters(group), 0);
    if (characters > MAX_PAGE_CHARACTERS && at > 0) return at;
  }
  return rows.length;
}

const toExported = ({
  arrived_at,
  sequence,
  prev_hash,
  record_hash,
  ...record
}: ExportRow): UsageExport['records'][number] => ({
  id: record.call_id ?? '',
  chain_id: formatChainId(record.gateway_id ?? '', arrived_at),
  sequence,
  prev_hash,
  record_hash,
  usage: toToolCall(record),
});
