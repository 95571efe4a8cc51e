import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { TaggedDocument } from './directory-client.ts';

/** A copy and the time of its last confirmation. */
export interface Copy<T> extends TaggedDocument<T> {
  confirmedAt: Date;
}

/**
 * Stores the last good responses of the enterprise manager, so that a gateway can start while the
 * enterprise manager is down.
 */
@Injectable()
export class DirectoryCopies {
  constructor(private readonly dataSource: DataSource) {}

  /** The copy of a key, if one exists. */
  async find(key: string): Promise<Copy<unknown> | undefined> {
    const rows = await this.dataSource.query<{ body: unknown; etag: string; confirmed_at: string }[]>(
      'SELECT body, etag, confirmed_at FROM directory_copies WHERE key = $1',
      [key],
    );
    const row = rows[0];
    return row && { body: row.body, etag: row.etag, confirmedAt: new Date(row.confirmed_at) };
  }

  /** Stores a copy. Of two replicas the later confirmation wins. */
  async save(key: string, { body, etag, confirmedAt }: Copy<unknown>): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO directory_copies AS held (key, etag, body, confirmed_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (key) DO UPDATE SET etag = excluded.etag, body = excluded.body, confirmed_at = excluded.confirmed_at
       WHERE held.confirmed_at <= excluded.confirmed_at`,
      [key, etag, JSON.stringify(body), confirmedAt.toISOString()],
    );
  }

  async delete(key: string): Promise<void> {
    await this.dataSource.query('DELETE FROM directory_copies WHERE key = $1', [key]);
  }

  /** Deletes copies without a confirmation since then. */
  async prune(before: Date): Promise<void> {
    await this.dataSource.query(`DELETE FROM directory_copies WHERE confirmed_at < $1 AND key <> 'snapshot'`, [
      before.toISOString(),
    ]);
  }
}
