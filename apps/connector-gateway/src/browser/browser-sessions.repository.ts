import { statement } from '@gatehouse/database/statement';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A user who is signed in in a browser. */
export interface BrowserPerson {
  readonly issuer: string;
  readonly subject: string;
  /** The name of the user for pages. */
  readonly displayName: string;
}

const FIND = statement<{ issuer: string; subject: string; display_name: string }>(
  'SELECT issuer, subject, display_name FROM browser_sessions WHERE id_hash = $1 AND expires_at > $2',
);
const INSERT = statement<object>(
  'INSERT INTO browser_sessions (id_hash, issuer, subject, display_name, expires_at) VALUES ($1, $2, $3, $4, $5)',
);
const DELETE = statement<object>('DELETE FROM browser_sessions WHERE id_hash = $1');
const PRUNE = statement<object>('DELETE FROM browser_sessions WHERE expires_at <= $1');

/** Stores the sessions of browsers for all replicas. */
@Injectable()
export class BrowserSessionsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** The user of a session; undefined for an unknown or expired one. */
  async find(idHash: Buffer): Promise<BrowserPerson | undefined> {
    const row = await FIND.row(this.dataSource.manager, [idHash, this.clock.now()]);
    return row && { issuer: row.issuer, subject: row.subject, displayName: row.display_name };
  }

  /** Stores a session, and removes expired ones. */
  async save(idHash: Buffer, { issuer, subject, displayName }: BrowserPerson, lifetimeMs: number): Promise<void> {
    const now = this.clock.now();
    await PRUNE.rows(this.dataSource.manager, [now]);
    const expiresAt = new Date(now.getTime() + lifetimeMs);
    await INSERT.rows(this.dataSource.manager, [idHash, issuer, subject, displayName, expiresAt]);
  }

  /** Ends a session. */
  async delete(idHash: Buffer): Promise<void> {
    await DELETE.rows(this.dataSource.manager, [idHash]);
  }
}
