import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { computeDigest } from '../storage/digest.ts';

/** Most registrations from one address within a minute, over all replicas. */
const REGISTRATIONS_PER_MINUTE = 60;

// A count above the limit is not written, so refused requests cost no writes.
const COUNT = statement<{ id: string }>(
  `INSERT INTO registration_counts AS held (id, window_started_at, count) VALUES ($1, now(), 1)
   ON CONFLICT (id) DO UPDATE SET
     count = CASE WHEN held.window_started_at <= now() - interval '1 minute' THEN 1 ELSE held.count + 1 END,
     window_started_at = CASE WHEN held.window_started_at <= now() - interval '1 minute' THEN now() ELSE held.window_started_at END
   WHERE held.count < $2 OR held.window_started_at <= now() - interval '1 minute'
   RETURNING id`,
);
const FIND_WAIT = statement<{ seconds: number }>(
  `SELECT greatest(1, ceil(extract(epoch FROM window_started_at + interval '1 minute' - now())))::integer AS seconds
   FROM registration_counts WHERE id = $1`,
);
const DELETE_OLD = statement("DELETE FROM registration_counts WHERE window_started_at <= now() - interval '1 minute'");

/** Counts registrations of clients by address, for all replicas. */
@Injectable()
export class RegistrationCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts a registration. @returns 0 if it is admitted, else the seconds until the next one */
  async admit(address: string): Promise<number> {
    const { manager } = this.dataSource;
    const id = computeDigest(address);
    if ((await COUNT.row(manager, [id, REGISTRATIONS_PER_MINUTE])) !== undefined) return 0;
    return (await FIND_WAIT.row(manager, [id]))?.seconds ?? 1;
  }

  /** Removes the counts of past minutes. */
  async sweep(): Promise<void> {
    await DELETE_OLD.rows(this.dataSource.manager);
  }
}
