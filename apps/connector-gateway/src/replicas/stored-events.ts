import { Batches } from '@gatehouse/service-kit/batches';
import type { DataSource, EntityManager } from 'typeorm';
import type { KeptEvent } from '../mcp/ports/stream-owners.ts';

/** An event of a stream. */
export interface StoredEvent {
  streamId: string;
  number: number;
  frame: string;
  /** Older events are deleted. */
  oldest: number;
  /** The call at its upstream as JSON, with the place after this event; undefined: unchanged. */
  upstream?: string | undefined;
  /** The upstream's id of the passed question, as JSON. */
  question?: string | undefined;
}

/** One statement at a time keeps the order of the events of a stream. */
const LIMITS = { size: 256, running: 1, patienceMs: 1_000, waiting: 10_000 };

/** Finds the streams that are still of this replica, and locks their rows. */
const LOCK =
  'SELECT id FROM mcp_streams WHERE id = ANY ($1::uuid[]) AND replica_id = $7 AND expires_at IS NULL FOR SHARE';

/** The same, and stores the new places of their calls at the upstreams. */
const LOCK_AND_MOVE = `
  UPDATE mcp_streams s SET upstream = moved.upstream
  FROM unnest($8::uuid[], $9::json[]) AS moved (id, upstream)
  WHERE s.id = moved.id AND replica_id = $7 AND expires_at IS NULL RETURNING s.id`;

/**
 * A stream that another replica has taken over or ended takes no further event. The lock makes that
 * replica wait for events that are being stored.
 */
const createInsert = (lock: string) => `
  WITH outdated AS (
    DELETE FROM mcp_stream_events old USING unnest($4::uuid[], $5::integer[]) AS kept (stream_id, oldest)
    WHERE old.stream_id = kept.stream_id AND old.number < kept.oldest
  ), open AS (${lock})
  INSERT INTO mcp_stream_events (stream_id, number, frame, question)
  SELECT added.* FROM unnest($1::uuid[], $2::integer[], $3::text[], $6::json[]) AS added (stream_id, number, frame, question)
  JOIN open ON open.id = added.stream_id
  ON CONFLICT DO NOTHING`;

const INSERT = createInsert(LOCK);
const INSERT_AND_MOVE = createInsert(LOCK_AND_MOVE);

/** Stores events of all streams of this process. Events that arrive together share a commit. */
export class StoredEvents {
  private readonly batches: Batches<StoredEvent, undefined>;

  /** @param replicaId of this process */
  constructor(
    private readonly dataSource: DataSource,
    private readonly replicaId: string,
  ) {
    this.batches = new Batches((events) => this.insert(events), LIMITS);
  }

  /** Adds an event. Resolves after the commit. */
  async add(event: StoredEvent): Promise<void> {
    await this.batches.add(event);
  }

  /** All stored events of a stream, in their order. */
  readAll(manager: EntityManager, streamId: string): Promise<KeptEvent[]> {
    return manager.query<KeptEvent[]>(
      'SELECT number, frame, question FROM mcp_stream_events WHERE stream_id = $1 ORDER BY number',
      [streamId],
    );
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
    // A statement either moves each of its streams, or none.
    const moved = new Map<string, string>();
    for (const { streamId, upstream } of events) if (upstream !== undefined) moved.set(streamId, upstream);
    const [moving, others] = [true, false].map((isMoved) =>
      events.filter(({ streamId }) => moved.has(streamId) === isMoved),
    );
    if (others !== undefined && others.length > 0) await this.dataSource.query(INSERT, this.createParameters(others));
    if (moving !== undefined && moving.length > 0)
      await this.dataSource.query(INSERT_AND_MOVE, [
        ...this.createParameters(moving),
        [...moved.keys()],
        [...moved.values()],
      ]);
    return events.map(() => ({ status: 'fulfilled', value: undefined }));
  }

  private createParameters(events: readonly StoredEvent[]): unknown[] {
    const bounded = events.filter(({ oldest }) => oldest > 1);
    return [
      events.map(({ streamId }) => streamId),
      events.map(({ number }) => number),
      events.map(({ frame }) => frame),
      bounded.map(({ streamId }) => streamId),
      bounded.map(({ oldest }) => oldest),
      events.map(({ question }) => question ?? null),
      this.replicaId,
    ];
  }
}
