import { inTransaction } from '@gatehouse/database/transaction';
import { ErrorCode } from '@gatehouse/mcp/errors';
import { encodeEvent } from '@gatehouse/mcp/event-stream';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { completeAbandonedCalls } from '../metering/tool-calls.repository.ts';
import type { FoundStream, OwnedStream, StreamFacts, StreamOwners } from '../mcp/ports/stream-owners.ts';
import { IS_ALIVE, ReplicaRegistry } from './replica-registry.ts';
import { StoredEvents } from './stored-events.ts';

/** Seconds for which a complete stream, and one whose replica died, can be resumed. */
const ENDED_SECONDS = 30;
const ABANDONED_SECONDS = 300;

/** Characters of a stream that may wait to be stored; further events are sent without that. */
const MAX_WAITING = 4 * 1024 * 1024;

/** Most streams that one statement ends. */
const MAX_ABANDONED = 100;

const MAY_HAVE_RUN =
  'the replica of the gateway that served this call stopped; the call may have run and is not repeated. Check its effects before you call again';

/** Records the streams of this process, and ends those of processes that stopped. */
@Injectable()
export class StreamOwnersRepository implements StreamOwners {
  private readonly events: StoredEvents;
  private readonly ending = new Set<Promise<void>>();
  private sweeping: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ReplicaRegistry,
    private readonly log: Log,
  ) {
    this.events = new StoredEvents(dataSource);
  }

  create(facts: StreamFacts): OwnedStream {
    const id = uuidv7();
    let opened: Promise<void> | undefined;
    let last: Promise<unknown> = Promise.resolve();
    let waiting = 0;
    return {
      open: () => (opened ??= this.insert(id, facts)),
      append: (event) => {
        if (waiting > MAX_WAITING) return Promise.reject(new Error('too many events wait to be stored'));
        waiting += event.frame.length;
        const added = this.events.add({ streamId: id, ...event });
        last = added
          .catch(() => undefined)
          .then(() => {
            waiting -= event.frame.length;
          });
        return added;
      },
      settled: async () => {
        await last;
      },
      end: () => {
        if (opened === undefined) return;
        const ending = this.end(id, facts, Promise.allSettled([opened, last]));
        this.ending.add(ending);
        void ending.then(() => this.ending.delete(ending));
      },
    };
  }

  async find(sessionId: string, channel: string, user: StreamFacts['user']): Promise<FoundStream | undefined> {
    const rows = await this.dataSource.query<(Omit<FoundStream, 'ownerUrl'> & { ownerUrl: string | null })[]>(
      `SELECT s.id, s.expires_at IS NOT NULL AS "isEnded", s.request_id IS NULL AS "isStandalone",
         coalesce(${IS_ALIVE}, false) AS "isOwnerAlive", r.url AS "ownerUrl"
       FROM mcp_streams s LEFT JOIN mcp_replicas r ON r.id = s.replica_id
       WHERE s.session_id = $1 AND s.channel = $2 AND s.issuer = $3 AND s.subject = $4
         AND (s.expires_at IS NULL OR s.expires_at > clock_timestamp())`,
      [sessionId, channel, user.issuer, user.subject],
    );
    const [row] = rows;
    return row && { ...row, ownerUrl: row.ownerUrl ?? undefined };
  }

  async endAbandoned(streamId: string): Promise<boolean> {
    return (await this.endAll(streamId)) > 0;
  }

  readEvents(streamId: string, after: number): Promise<readonly string[]> {
    return this.events.read(streamId, after);
  }

  async remove(streamId: string): Promise<void> {
    await this.dataSource.query(
      `WITH removed AS (DELETE FROM mcp_streams WHERE id = $1)
       DELETE FROM mcp_stream_events WHERE stream_id = $1`,
      [streamId],
    );
  }

  /** Resolves when the streams that ended are stored. No sweep may start any more. */
  async stop(): Promise<void> {
    await Promise.all([...this.ending, this.sweeping]);
  }

  /** Starts to end the streams of all replicas that do not live any more. */
  sweep(): void {
    this.sweeping ??= this.endAllAbandoned().finally(() => {
      this.sweeping = undefined;
    });
  }

  private async endAllAbandoned(): Promise<void> {
    try {
      while ((await this.endAll(undefined)) === MAX_ABANDONED);
    } catch (error) {
      // The next sweep repeats it.
      this.log.warn({ err: error }, 'the streams of replicas that stopped could not be ended');
    }
  }

  /** Deletes the streams that cannot be resumed any more. */
  async prune(): Promise<void> {
    await this.dataSource.query(
      `WITH old AS (DELETE FROM mcp_streams WHERE expires_at < clock_timestamp() RETURNING id)
       DELETE FROM mcp_stream_events USING old WHERE stream_id = old.id`,
    );
  }

  private async insert(id: string, { user, resumable, callId }: StreamFacts): Promise<void> {
    const requestId = resumable?.requestId;
    await this.dataSource.query(
      `INSERT INTO mcp_streams (id, replica_id, issuer, subject, session_id, channel, request_id, call_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        id,
        this.registry.id,
        user.issuer,
        user.subject,
        resumable?.sessionId ?? null,
        resumable?.channel ?? null,
        requestId === undefined ? null : JSON.stringify(requestId),
        callId ?? null,
      ],
    );
  }

  private async end(id: string, { resumable }: StreamFacts, stored: Promise<unknown>): Promise<void> {
    await stored;
    try {
      if (resumable === undefined) await this.remove(id);
      else
        await this.dataSource.query(
          `UPDATE mcp_streams SET expires_at = clock_timestamp() + interval '${ENDED_SECONDS} seconds'
           WHERE id = $1 AND expires_at IS NULL`,
          [id],
        );
    } catch (error) {
      this.log.warn({ err: error }, 'the end of a stream could not be stored');
    }
  }

  private async endAll(streamId: string | undefined): Promise<number> {
    const since = this.registry.judgeSince;
    if (since === undefined) return 0;
    return inTransaction(this.dataSource, async (manager) => {
      const streams = await manager.query<AbandonedStream[]>(
        `SELECT s.id, s.channel, s.request_id, s.call_id FROM mcp_streams s
         WHERE s.expires_at IS NULL AND s.replica_id <> $1 AND ($2::uuid IS NULL OR s.id = $2)
           AND NOT EXISTS (SELECT FROM mcp_replicas r WHERE r.id = s.replica_id AND ${IS_ALIVE})
           AND EXISTS (SELECT FROM mcp_replicas r WHERE r.id = $1 AND r.heartbeat_at = $3::timestamptz AND ${IS_ALIVE})
         ORDER BY s.id LIMIT ${MAX_ABANDONED} FOR UPDATE OF s SKIP LOCKED`,
        [this.registry.id, streamId ?? null, since],
      );
      if (streams.length > 0) await this.endStreams(manager, streams);
      return streams.length;
    });
  }

  private async endStreams(manager: EntityManager, streams: readonly AbandonedStream[]): Promise<void> {
    await completeAbandonedCalls(
      manager,
      streams.flatMap(({ call_id: id }) => (id === null ? [] : [id])),
    );
    for (const stream of streams) {
      if (stream.request_id !== null) await storeLastEvent(manager, stream);
    }
    await manager.query(
      `UPDATE mcp_streams SET expires_at = clock_timestamp() + interval '${ABANDONED_SECONDS} seconds' WHERE id = ANY ($1)`,
      [streams.map(({ id }) => id)],
    );
    this.log.warn({ streams: streams.length }, 'streams of a replica that stopped were ended');
  }
}

interface AbandonedStream {
  id: string;
  channel: string | null;
  request_id: string | null;
  call_id: string | null;
}

/** Stores the error that ends the stream of a request. */
async function storeLastEvent(manager: EntityManager, { id, channel, request_id }: AbandonedStream): Promise<void> {
  const rows = await manager.query<{ next: number }[]>(
    'SELECT coalesce(max(number), 0) + 1 AS next FROM mcp_stream_events WHERE stream_id = $1',
    [id],
  );
  const next = rows[0]?.next ?? 1;
  const error = JSON.stringify({ code: ErrorCode.internalError, message: MAY_HAVE_RUN });
  const data = `{"jsonrpc":"2.0","id":${request_id},"error":${error}}`;
  await manager.query('INSERT INTO mcp_stream_events (stream_id, number, frame) VALUES ($1, $2, $3)', [
    id,
    next,
    encodeEvent({ id: `${channel}.${next}`, event: 'message', data }),
  ]);
}
