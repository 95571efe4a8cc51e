import { Batches } from '@gatehouse/service-kit/batches';
import type { DataSource } from 'typeorm';

/** An event of a stream. */
export interface StoredEvent {
  streamId: string;
  number: number;
  frame: string;
  /** Older events are deleted. */
  oldest: number;
}

/** One statement at a time keeps the order of the events of a stream. */
const LIMITS = { size: 256, running: 1, patienceMs: 1_000, waiting: 10_000 };

/**
 * A stream that another replica has ended takes no further event. The lock makes that replica wait
 * for events that are being stored.
 */
const INSERT = `
  WITH outdated AS (
    DELETE FROM mcp_stream_events old USING unnest($4::uuid[], $5::integer[]) AS kept (stream_id, oldest)
    WHERE old.stream_id = kept.stream_id AND old.number < kept.oldest
  ), open AS (
    SELECT id FROM mcp_streams WHERE id = ANY ($1::uuid[]) AND expires_at IS NULL FOR SHARE
  )
  INSERT INTO mcp_stream_events (stream_id, number, frame)
  SELECT added.* FROM unnest($1::uuid[], $2::integer[], $3::text[]) AS added (stream_id, number, frame)
  JOIN open ON open.id = added.stream_id
  ON CONFLICT DO NOTHING`;

/** Stores events of all streams of this process. Events that arrive together share a commit. */
export class StoredEvents {
  private readonly batches: Batches<StoredEvent, undefined>;

  constructor(private readonly dataSource: DataSource) {
    this.batches = new Batches((events) => this.insert(events), LIMITS);
  }

  /** Adds an event. Resolves after the commit. */
  async add(event: StoredEvent): Promise<void> {
    await this.batches.add(event);
  }

  /** The events after `after`, in their order. */
  async read(streamId: string, after: number): Promise<readonly string[]> {
    const rows = await this.dataSource.query<{ frame: string }[]>(
      'SELECT frame FROM mcp_stream_events WHERE stream_id = $1 AND number > $2::bigint ORDER BY number',
      [streamId, after],
    );
    return rows.map(({ frame }) => frame);
  }

  private async insert(events: readonly StoredEvent[]): Promise<PromiseSettledResult<undefined>[]> {
    const bounded = events.filter(({ oldest }) => oldest > 1);
    await this.dataSource.query(INSERT, [
      events.map(({ streamId }) => streamId),
      events.map(({ number }) => number),
      events.map(({ frame }) => frame),
      bounded.map(({ streamId }) => streamId),
      bounded.map(({ oldest }) => oldest),
    ]);
    return events.map(() => ({ status: 'fulfilled', value: undefined }));
  }
}
