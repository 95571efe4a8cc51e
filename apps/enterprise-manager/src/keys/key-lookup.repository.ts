import { isUnavailable } from '@gatehouse/database/unavailable';
import { VALUE_OPTIONS, valueTypes } from '@gatehouse/database/value-types';
import { Log } from '@gatehouse/service-kit/log';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Stored } from '@gatehouse/database/stored';
import { selectGroupsOfUser } from '../people/group-sql.ts';
import { MAX_CHANGES } from './key-calls.dto.ts';
import type { VirtualKeyRow } from './virtual-key.entity.ts';

/** Timeout of a query in milliseconds. It bounds the age of a lookup result to less than 1 s. */
export const READ_TIMEOUT_MS = 900;

/** Two for lookups, one for polls of the revision, one for `changes` requests of gateways. */
const POOL_SIZE = 4;

/** A revision of all keys. Revisions of different epochs (databases) cannot be compared. */
export interface KeyRevision {
  epoch: string;
  revision: number;
  groups_revision: number;
}

/** A stored key of an active owner, with the data that a gateway receives. */
export type ResolvableKey = Pick<
  Stored<VirtualKeyRow>,
  | 'id'
  | 'issuer'
  | 'subject'
  | 'secret_hash'
  | 'previous_hash'
  | 'previous_valid_until'
  | 'disabled_by_owner'
  | 'disabled_by_administrator'
  | 'disabled_by_deactivation'
  | 'revoked_at'
  | 'expires_at'
> & { user_id: string; email: string | null; version: number; groups: string[]; group_names: string[] };

/** The current revision, and the keys that have changed since an earlier one. */
export type ChangesSince = KeyRevision & { changed: { key_id: string; version: number }[] };

const selectKeysBy = (column: 'secret_hash' | 'previous_hash') => `
  SELECT k.id, k.issuer, k.subject, k.user_id, k.secret_hash, k.previous_hash, k.previous_valid_until, k.disabled_by_owner,
    k.disabled_by_administrator, k.disabled_by_deactivation, k.revoked_at, k.expires_at, k.version, u.email, held.*
  FROM virtual_keys k JOIN users u ON u.id = k.user_id AND u.active AND u.issuer = k.issuer AND u.subject = k.subject
  CROSS JOIN LATERAL (
    SELECT COALESCE(array_agg(g.id::text ORDER BY g.id), '{}') AS groups, COALESCE(array_agg(g.display_name ORDER BY g.id), '{}') AS group_names
    FROM (${selectGroupsOfUser('k.user_id')}) AS holding JOIN groups g ON g.id = holding.id) AS held
  WHERE k.${column} = ANY ($1::bytea[])`;

/** One statement, so that revision and keys come from the same database snapshot. */
const LOOK_UP_KEYS = {
  name: 'keys_look_up',
  text: `SELECT r.epoch, r.revision, r.groups_revision, found.*
    FROM key_revision r LEFT JOIN (${selectKeysBy('secret_hash')} UNION ALL ${selectKeysBy('previous_hash')}) AS found ON TRUE`,
};
const LIST_CHANGES = {
  name: 'keys_changes',
  text: `SELECT r.epoch, r.revision, r.groups_revision, COALESCE((
      SELECT jsonb_agg(jsonb_build_object('key_id', id, 'version', version) ORDER BY version)
      FROM (SELECT id, version FROM virtual_keys WHERE version > $1 ORDER BY version LIMIT ${MAX_CHANGES + 1}) AS k), '[]') AS changed
    FROM key_revision r`,
};

/**
 * The queries of key resolution. They have a connection pool of their own, so that other requests
 * cannot delay them, and fail after READ_TIMEOUT_MS.
 */
@Injectable()
export class KeyLookupRepository implements OnApplicationShutdown {
  private readonly pool: pg.Pool;

  constructor(dataSource: DataSource, log: Log) {
    const { options } = dataSource;
    this.pool = new pg.Pool({
      ...(options.type === 'postgres' && options.url !== undefined && { connectionString: options.url }),
      application_name: 'enterprise-manager-keys',
      max: POOL_SIZE,
      connectionTimeoutMillis: READ_TIMEOUT_MS,
      query_timeout: READ_TIMEOUT_MS,
      statement_timeout: READ_TIMEOUT_MS,
      keepAlive: true,
      types: valueTypes,
      options: VALUE_OPTIONS,
    });
    this.pool.on('error', (error) => log.warn({ err: error }, 'a connection for resolving keys was lost'));
  }

  /** Finds keys by the hash of their current or previous secret. @throws HttpError unavailable */
  async lookUp(hashes: readonly Buffer[]): Promise<{ revision: KeyRevision; keys: ResolvableKey[] }> {
    const rows = await this.query<KeyRevision & (ResolvableKey | { id: null })>(LOOK_UP_KEYS, [hashes]);
    return { revision: this.requireRow(rows), keys: rows.filter((row) => row.id !== null) };
  }

  /** Lists the keys that have changed after a revision. @throws HttpError unavailable */
  async listChangesSince(revision: number): Promise<ChangesSince> {
    return this.requireRow(await this.query<ChangesSince>(LIST_CHANGES, [revision]));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private requireRow<Row>([row]: Row[]): Row {
    if (row === undefined) throw new Error('the row of the table key_revision is missing');
    return row;
  }

  private async query<Row extends object>(
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>({ ...statement, values })).rows;
    } catch (error) {
      const isTimeout = error instanceof Error && error.message === 'Query read timeout';
      if (!isTimeout && !isUnavailable(error)) throw error;
      throw new HttpError('unavailable', 'the database cannot be reached or is too busy; try again', { cause: error });
    }
  }
}
