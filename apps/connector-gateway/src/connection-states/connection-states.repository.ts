import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ConnectionStateRow } from './connection-state.entity.ts';

/** The channel that names users with a changed state. */
export const STATES_CHANNEL = 'connection_states_changed';

/** Longest payload of a notification, below the limit of Postgres. */
const MAX_PAYLOAD = 7_000;

type State = Pick<ConnectionStateRow, 'connector_id' | 'enabled' | 'version' | 'updated_at'>;

const LIST = statement<State>(
  'SELECT connector_id, enabled, version, updated_at FROM connection_states WHERE issuer = $1 AND subject = $2 ORDER BY connector_id',
);

// A state that does not exist has the version 0. The notification is sent with the commit.
const CHANGE = statement<{ version: number }>(`
  WITH changed AS (
    INSERT INTO connection_states AS s (issuer, subject, connector_id, enabled, version, updated_at)
    SELECT $1, $2, $3, $4, 1, now()
    WHERE $5::integer IS NULL OR $5 = 0
       OR EXISTS (SELECT FROM connection_states WHERE issuer = $1 AND subject = $2 AND connector_id = $3)
    ON CONFLICT (issuer, subject, connector_id) DO UPDATE
      SET enabled = excluded.enabled, version = s.version + 1, updated_at = excluded.updated_at
      WHERE $5::integer IS NULL OR s.version = $5
    RETURNING version
  )
  SELECT version, pg_notify('${STATES_CHANNEL}', $6) FROM changed`);

/** A user, as the states name it. */
export interface StateOwner {
  issuer: string;
  subject: string;
}

/** Stores the states of connectors that users have set in local mode. */
@Injectable()
export class ConnectionStatesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** All states of a user, also those that were reset. */
  list({ issuer, subject }: StateOwner): Promise<readonly State[]> {
    return LIST.rows(this.dataSource.manager, [issuer, subject]);
  }

  /**
   * Sets or resets a state, and notifies all replicas.
   * @param enabled null resets it
   * @param version the version to replace; undefined replaces any
   * @returns false if the state has another version
   */
  async change(
    { issuer, subject }: StateOwner,
    connectorId: string,
    enabled: boolean | null,
    version: number | undefined,
  ): Promise<boolean> {
    const params = [issuer, subject, connectorId, enabled, version ?? null, formatPayload({ issuer, subject })];
    return (await CHANGE.row(this.dataSource.manager, params)) !== undefined;
  }
}

/** The empty payload names all users. */
function formatPayload({ issuer, subject }: StateOwner): string {
  const payload = JSON.stringify({ issuer, subject });
  return Buffer.byteLength(payload) > MAX_PAYLOAD ? '' : payload;
}

/** The user that a notification names; undefined for all users. */
export const readPayload = (payload: string): StateOwner | undefined =>
  payload === '' ? undefined : (JSON.parse(payload) as StateOwner);
