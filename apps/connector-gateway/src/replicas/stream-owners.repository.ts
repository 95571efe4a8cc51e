import { inTransaction } from '@gatehouse/database/transaction';
import { ErrorCode, type RequestId } from '@gatehouse/mcp/errors';
import { encodeEvent } from '@gatehouse/mcp/event-stream';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ToolCallsRepository } from '../metering/tool-calls.repository.ts';
import {
  type ContinueCall,
  type EventOrigin,
  type FoundStream,
  MAY_HAVE_RUN,
  type OwnedStream,
  type StreamFacts,
  type StreamOwners,
  type TakenCall,
  type UpstreamCall,
} from '../mcp/ports/stream-owners.ts';
import { IS_ALIVE, ReplicaRegistry } from './replica-registry.ts';
import { StoredEvents } from './stored-events.ts';

/** Seconds for which a complete stream, and one whose replica died, can be resumed. */
const ENDED_SECONDS = 30;
const ABANDONED_SECONDS = 300;

/** Characters of a stream that may wait to be stored; further events are sent without that. */
const MAX_WAITING = 4 * 1024 * 1024;

/** Most streams that one statement ends. */
const MAX_ABANDONED = 100;

/** Records the streams of this process, and ends those of processes that stopped. */
@Injectable()
export class StreamOwnersRepository implements StreamOwners {
  private readonly events: StoredEvents;
  private readonly ending = new Set<Promise<void>>();
  private sweeping: Promise<void> | undefined;
  private continueCall: ContinueCall | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ReplicaRegistry,
    private readonly records: ToolCallsRepository,
    private readonly log: Log,
  ) {
    this.events = new StoredEvents(dataSource, registry.id);
  }

  create(facts: StreamFacts): OwnedStream {
    return this.own(uuidv7(), facts);
  }

  setContinuation(continueCall: ContinueCall): void {
    this.continueCall = continueCall;
  }

  /** @param opened resolves when the row exists; undefined before `open` */
  private own(id: string, facts: StreamFacts, opened?: Promise<void>): OwnedStream {
    let last: Promise<unknown> = Promise.resolve();
    let waiting = 0;
    let origin: EventOrigin | undefined;
    let stored: UpstreamCall | undefined;
    return {
      open: (upstream) => (opened ??= this.insert(id, facts, (stored = upstream))),
      setOrigin: (next) => (origin = next),
      append: (event) => {
        if (waiting > MAX_WAITING) return Promise.reject(new Error('too many events wait to be stored'));
        waiting += event.frame.length;
        const { upstream, question } = origin ?? {};
        origin = undefined;
        const isMoved = upstream !== undefined && upstream !== stored;
        if (isMoved) stored = upstream;
        const added = this.events.add({
          streamId: id,
          ...event,
          ...(isMoved && { upstream: JSON.stringify(upstream) }),
          ...(question !== undefined && { question: JSON.stringify(question) }),
        });
        last = added
          .catch(() => undefined)
          .then(() => {
            waiting -= event.frame.length;
          });
        return added;
      },
      note: (upstream) => {
        stored = upstream;
        last = Promise.allSettled([opened, last]).then(() => this.move(id, upstream));
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
         s.replica_id = $5 AS "isOwn", coalesce(${IS_ALIVE}, false) AS "isOwnerAlive", r.url AS "ownerUrl"
       FROM mcp_streams s LEFT JOIN mcp_replicas r ON r.id = s.replica_id
       WHERE s.session_id = $1 AND s.channel = $2 AND s.issuer = $3 AND s.subject = $4
         AND (s.expires_at IS NULL OR s.expires_at > clock_timestamp())`,
      [sessionId, channel, user.issuer, user.subject, this.registry.id],
    );
    const [row] = rows;
    return row && { ...row, ownerUrl: row.ownerUrl ?? undefined };
  }

  async takeOver(streamId: string): Promise<boolean> {
    return (await this.takeAll(streamId)) > 0;
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

  /** Starts to take over the streams of all replicas that do not live any more. */
  sweep(): void {
    this.sweeping ??= this.takeAllAbandoned().finally(() => {
      this.sweeping = undefined;
    });
  }

  private async takeAllAbandoned(): Promise<void> {
    try {
      while ((await this.takeAll(undefined)) === MAX_ABANDONED);
    } catch (error) {
      // The next sweep repeats it.
      this.log.warn({ err: error }, 'the streams of replicas that stopped could not be taken over');
    }
  }

  /** Deletes the streams that cannot be resumed any more. */
  async prune(): Promise<void> {
    await this.dataSource.query(
      `WITH old AS (DELETE FROM mcp_streams WHERE expires_at < clock_timestamp() RETURNING id)
       DELETE FROM mcp_stream_events USING old WHERE stream_id = old.id`,
    );
  }

  private async insert(
    id: string,
    { user, resumable, callId }: StreamFacts,
    upstream: UpstreamCall | undefined,
  ): Promise<void> {
    const requestId = resumable?.requestId;
    await this.dataSource.query(
      `INSERT INTO mcp_streams (id, replica_id, issuer, subject, session_id, channel, request_id, call_id, upstream)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        this.registry.id,
        user.issuer,
        user.subject,
        resumable?.sessionId ?? null,
        resumable?.channel ?? null,
        requestId === undefined ? null : JSON.stringify(requestId),
        callId ?? null,
        upstream === undefined ? null : JSON.stringify(upstream),
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
           WHERE id = $1 AND replica_id = $2 AND expires_at IS NULL`,
          [id, this.registry.id],
        );
    } catch (error) {
      this.log.warn({ err: error }, 'the end of a stream could not be stored');
    }
  }

  /** Stores the place of a call at its upstream. A place that is lost is read again. */
  private async move(id: string, upstream: UpstreamCall): Promise<void> {
    await this.dataSource
      .query('UPDATE mcp_streams SET upstream = $3 WHERE id = $1 AND replica_id = $2 AND expires_at IS NULL', [
        id,
        this.registry.id,
        JSON.stringify(upstream),
      ])
      .catch(() => undefined);
  }

  /** @returns the number of streams that were taken over or ended */
  private async takeAll(streamId: string | undefined): Promise<number> {
    const since = this.registry.judgeSince;
    if (since === undefined) return 0;
    const taken: TakenCall[] = [];
    const number = await inTransaction(this.dataSource, async (manager) => {
      taken.length = 0;
      const streams = await manager.query<AbandonedStream[]>(
        `SELECT s.id, s.issuer, s.subject, s.session_id, s.channel, s.request_id, s.call_id, s.upstream, c.slug, c.mode
         FROM mcp_streams s LEFT JOIN mcp_sessions c ON c.id = s.session_id
         WHERE s.expires_at IS NULL AND s.replica_id <> $1 AND ($2::uuid IS NULL OR s.id = $2)
           AND NOT EXISTS (SELECT FROM mcp_replicas r WHERE r.id = s.replica_id AND ${IS_ALIVE})
           AND EXISTS (SELECT FROM mcp_replicas r WHERE r.id = $1 AND r.heartbeat_at = $3::timestamptz AND ${IS_ALIVE})
         ORDER BY s.id LIMIT ${MAX_ABANDONED} FOR UPDATE OF s SKIP LOCKED`,
        [this.registry.id, streamId ?? null, since],
      );
      const ended: AbandonedStream[] = [];
      for (const stream of streams) {
        const call = await this.readCall(manager, stream);
        if (call === undefined) ended.push(stream);
        else taken.push(call);
      }
      if (ended.length > 0) await this.endStreams(manager, ended);
      return streams.length;
    });
    for (const call of taken) this.begin(call);
    return number;
  }

  /** Takes a call over that can go on at its upstream; undefined for any other stream. */
  private async readCall(manager: EntityManager, stream: AbandonedStream): Promise<TakenCall | undefined> {
    const { id, issuer, subject, session_id: sessionId, channel, request_id, call_id: callId, upstream } = stream;
    if (this.continueCall === undefined || upstream === null) return undefined;
    if (sessionId === null || channel === null || request_id === null) return undefined;
    const events = await this.events.readAll(manager, id);
    if (hasResponse(events.at(-1)?.frame)) return undefined;
    await manager.query('UPDATE mcp_streams SET replica_id = $2 WHERE id = $1', [id, this.registry.id]);
    const requestId = JSON.parse(request_id) as RequestId;
    const facts = {
      user: { issuer, subject },
      resumable: { sessionId, channel, requestId },
      callId: callId ?? undefined,
    };
    return {
      id,
      owner: { issuer, subject, slug: stream.slug, mode: stream.mode },
      sessionId,
      channel,
      requestId,
      upstream,
      events,
      stream: this.own(id, facts, Promise.resolve()),
      record: callId === null ? undefined : this.records.continue(callId),
    };
  }

  private begin(call: TakenCall): void {
    this.log.warn({ stream: call.id }, 'a call of a replica that stopped is continued at its upstream');
    const running = this.continueCall?.(call).catch((error: unknown) => {
      this.log.warn({ err: error }, 'a call of a replica that stopped could not be continued');
      return this.endTaken(call);
    });
    if (running === undefined) return;
    this.ending.add(running);
    void running.finally(() => this.ending.delete(running));
  }

  /** Ends a stream that this replica took over and cannot continue. */
  private async endTaken({ id }: TakenCall): Promise<void> {
    try {
      await inTransaction(this.dataSource, async (manager) => {
        const streams = await manager.query<AbandonedStream[]>(
          'SELECT id, channel, request_id, call_id FROM mcp_streams WHERE id = $1 AND replica_id = $2 AND expires_at IS NULL FOR UPDATE',
          [id, this.registry.id],
        );
        if (streams.length > 0) await this.endStreams(manager, streams);
      });
    } catch (error) {
      this.log.warn({ err: error }, 'a stream that was taken over could not be ended');
    }
  }

  private async endStreams(manager: EntityManager, streams: readonly AbandonedStream[]): Promise<void> {
    await this.records.completeAbandoned(
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
  issuer: string;
  subject: string;
  session_id: string | null;
  channel: string | null;
  request_id: string | null;
  call_id: string | null;
  upstream: UpstreamCall | null;
  slug: string | null;
  mode: 'search' | null;
}

/** Whether an event is the response to the request of its stream. */
function hasResponse(frame: string | undefined): boolean {
  const [, data] = /^data: ?(.*)$/m.exec(frame ?? '') ?? [];
  if (data === undefined) return false;
  const message = JSON.parse(data) as Record<string, unknown>;
  return !('method' in message);
}

/** Stores the error that ends the stream of a request. */
async function storeLastEvent(manager: EntityManager, { id, channel, request_id }: AbandonedStream): Promise<void> {
  const [last] = await manager.query<{ number: number; frame: string }[]>(
    'SELECT number, frame FROM mcp_stream_events WHERE stream_id = $1 ORDER BY number DESC LIMIT 1',
    [id],
  );
  if (hasResponse(last?.frame)) return;
  const next = (last?.number ?? 0) + 1;
  const error = JSON.stringify({ code: ErrorCode.internalError, message: MAY_HAVE_RUN });
  const data = `{"jsonrpc":"2.0","id":${request_id},"error":${error}}`;
  await manager.query('INSERT INTO mcp_stream_events (stream_id, number, frame) VALUES ($1, $2, $3)', [
    id,
    next,
    encodeEvent({ id: `${channel}.${next}`, event: 'message', data }),
  ]);
}
