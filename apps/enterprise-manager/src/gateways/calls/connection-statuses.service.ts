import { readItem, readItems } from '@gatehouse/service-kit/batch-item';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Gateways } from '../settings/gateways.ts';
import { type ConnectionStatusReceipt, ObservedStatus } from './connection-statuses.dto.ts';

const UNKNOWN = 'user_id, connector_id: there is no such person, or no such connector at this gateway';

/**
 * Takes in what gateways see of people at upstreams. Of one person at one upstream the latest
 * observation stays, in whatever order they come.
 */
@Injectable()
export class ConnectionStatusesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: Gateways,
    private readonly clock: Clock,
  ) {}

  /** @returns one receipt for each item, in order. @throws HttpError not_found */
  async take(gatewayId: string, statuses: readonly unknown[]): Promise<ConnectionStatusReceipt[]> {
    this.gateways.require(gatewayId);
    const read = await readItems(statuses, (status) => this.read(status));
    const latest = new Map<string, ObservedStatus>();
    for (const status of read) {
      if (typeof status === 'string') continue;
      const before = latest.get(keyOf(status));
      if (before === undefined || before.observed_at <= status.observed_at) latest.set(keyOf(status), status);
    }
    const known = await this.store(gatewayId, [...latest.values()]);
    return read.map((status) => {
      if (typeof status === 'string') return { status: 'rejected', error: status };
      const stored = known.get(keyOf(status));
      if (stored === undefined) return { status: 'rejected', error: UNKNOWN };
      return { status: stored && latest.get(keyOf(status)) === status ? 'stored' : 'stale' };
    });
  }

  /**
   * An observation, or why it is none. A clock that is ahead must not keep later observations out:
   * nothing was seen later than now.
   */
  private read(status: unknown): ObservedStatus | string {
    const read = readItem({ schema: ObservedStatus }, status);
    if ('error' in read) return read.error;
    const at = Math.min(Date.parse(read.item.observed_at), this.clock.now().getTime());
    return { ...read.item, observed_at: new Date(at).toISOString() };
  }

  /**
   * @returns of each known person at a connector of the gateway, whether the observation is now the
   * latest. Rows are taken in one order, so that batches never wait in a circle.
   */
  private async store(gatewayId: string, statuses: readonly ObservedStatus[]): Promise<Map<string, boolean>> {
    const rows: { user_id: string; connector_id: string; stored: boolean }[] = await this.dataSource.query(
      `WITH seen AS (
         SELECT s.*, CASE WHEN s.tools IS NOT NULL THEN s.observed_at END AS tools_observed_at
         FROM jsonb_to_recordset($2::jsonb) AS s (user_id uuid, connector_id uuid, connection_status text, observed_at timestamptz, tools text[])
         JOIN users u ON u.id = s.user_id JOIN connectors k ON k.id = s.connector_id AND k.gateway_id = $1
       ), stored AS (
         INSERT INTO connection_statuses AS held (user_id, connector_id, connection_status, observed_at, tools, tools_observed_at)
         SELECT user_id, connector_id, connection_status, observed_at, tools, tools_observed_at FROM seen ORDER BY user_id, connector_id
         ON CONFLICT (user_id, connector_id) DO UPDATE SET connection_status = excluded.connection_status,
           observed_at = excluded.observed_at, tools = COALESCE(excluded.tools, held.tools),
           tools_observed_at = COALESCE(excluded.tools_observed_at, held.tools_observed_at)
         WHERE excluded.observed_at >= held.observed_at
         RETURNING user_id, connector_id
       )
       SELECT user_id, connector_id, stored.user_id IS NOT NULL AS stored FROM seen LEFT JOIN stored USING (user_id, connector_id)`,
      [gatewayId, JSON.stringify(statuses)],
    );
    return new Map(rows.map((row) => [keyOf(row), row.stored]));
  }
}

const keyOf = ({ user_id, connector_id }: Pick<ObservedStatus, 'user_id' | 'connector_id'>) =>
  `${user_id} ${connector_id}`;
