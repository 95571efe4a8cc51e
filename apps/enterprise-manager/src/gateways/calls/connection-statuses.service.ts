import { readItem, readItems } from '@gatehouse/service-kit/batch-item';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Gateways } from '../settings/gateways.ts';
import { type ConnectionStatusReceipt, ObservedStatus } from './connection-statuses.dto.ts';

const UNKNOWN = 'user_id, connector_id: there is no such user, or no such connector at this gateway';

/**
 * Stores the connection statuses that gateways observe. The latest observation of a user and an
 * upstream stays, independent of the order of arrival.
 */
@Injectable()
export class ConnectionStatusesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: Gateways,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a batch of observations.
   * @returns one receipt for each item, in order
   * @throws HttpError not_found for an unknown gateway
   */
  async store(gatewayId: string, statuses: readonly unknown[]): Promise<ConnectionStatusReceipt[]> {
    this.gateways.require(gatewayId);
    const read = await readItems(statuses, (status) => this.parse(status));
    const latest = new Map<string, ObservedStatus>();
    for (const status of read) {
      if (typeof status === 'string') continue;
      const before = latest.get(getKey(status));
      if (before === undefined || before.observed_at <= status.observed_at) latest.set(getKey(status), status);
    }
    const known = await this.upsert(gatewayId, [...latest.values()]);
    return read.map((status) => {
      if (typeof status === 'string') return { status: 'rejected', error: status };
      const stored = known.get(getKey(status));
      if (stored === undefined) return { status: 'rejected', error: UNKNOWN };
      return { status: stored && latest.get(getKey(status)) === status ? 'stored' : 'stale' };
    });
  }

  /**
   * Parses an observation. A time in the future becomes now, so that a clock that is ahead does not
   * block later observations.
   * @returns the sentence that names its faults, for an invalid observation
   */
  private parse(status: unknown): ObservedStatus | string {
    const read = readItem({ schema: ObservedStatus }, status);
    if ('error' in read) return read.error;
    const at = Math.min(Date.parse(read.item.observed_at), this.clock.now().getTime());
    return { ...read.item, observed_at: new Date(at).toISOString() };
  }

  /**
   * Writes observations in the order of their keys, so that concurrent batches do not deadlock.
   * @returns whether each observation is now the latest, by user and connector; unknown ones are
   * absent
   */
  private async upsert(gatewayId: string, statuses: readonly ObservedStatus[]): Promise<Map<string, boolean>> {
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
    return new Map(rows.map((row) => [getKey(row), row.stored]));
  }
}

const getKey = ({ user_id, connector_id }: Pick<ObservedStatus, 'user_id' | 'connector_id'>) =>
  `${user_id} ${connector_id}`;
