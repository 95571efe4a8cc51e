import { openEventStream } from '@gatehouse/mcp/server/channel';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plane } from '../calls/plane.ts';
import { HttpRefusalError } from '../http/http-refusal.ts';
import type { FoundStream } from '../ports/stream-owners.ts';
import { isStandaloneChannel, type Session } from '../sessions/session.ts';
import type { HttpExchange } from './http-exchange.ts';

/** Time for which a resumption waits: a replica that stopped counts as dead only after 6 s. */
const WAIT_MS = 15_000;
const POLL_MS = 500;

/** The last event that a client received. */
interface LastEvent {
  channel: string;
  number: number;
}

/**
 * Resumes a stream that this process does not have. The replica that serves it continues it. The
 * call of a replica that died goes on here if its upstream resumes it. Otherwise its stored events
 * are replayed, up to the error that ends it.
 * @returns undefined if the response is served; for a stream of a GET whose replica is gone, the
 * missed events, after which this process continues the stream
 * @throws HttpRefusalError 404 for an unknown stream, 503 while its replica cannot be reached
 */
export async function resumeElsewhere(
  plane: Plane,
  exchange: HttpExchange,
  session: Session,
  last: LastEvent,
): Promise<readonly string[] | undefined> {
  const giveUpAt = performance.now() + WAIT_MS;
  while (!exchange.response.closed) {
    const own = session.findChannel(last.channel);
    if (own !== undefined) {
      own.attach(exchange.response, {}, last.number);
      return undefined;
    }
    const stream = await plane.streams.find(session.id, last.channel, session.owner);
    // Another replica has found that this one serves the stream.
    if (exchange.forward === undefined && stream?.isOwn !== true) throw createEndedRefusal();
    if (stream?.isEnded === true) return replay(plane, exchange, stream, last.number);
    if (stream === undefined) {
      if (isStandaloneChannel(last.channel)) return [];
      throw createEndedRefusal();
    }
    // A call that this process takes over gets its channel in a moment.
    if (stream.isOwnerAlive && !stream.isOwn) {
      if (await forward(plane, exchange, stream)) return undefined;
    } else if (!stream.isOwn && (await plane.streams.takeOver(stream.id))) continue;
    if (performance.now() > giveUpAt)
      throw new HttpRefusalError(503, -32603, 'the replica that serves this stream cannot be reached', {
        'retry-after': '2',
      });
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Lets the replica of a stream continue it. @returns false if it does not answer */
async function forward(plane: Plane, exchange: HttpExchange, { ownerUrl }: FoundStream): Promise<boolean> {
  if (ownerUrl === undefined) return false;
  try {
    return (await exchange.forward?.(ownerUrl)) === true;
  } catch (error) {
    if (exchange.response.headersSent) throw error;
    // A resumption can be repeated.
    plane.log.warn({ err: error }, 'the replica of a stream did not answer');
    return false;
  }
}

/** Sends the stored events of a complete stream. */
async function replay(
  plane: Plane,
  { response }: HttpExchange,
  { id, isStandalone }: FoundStream,
  after: number,
): Promise<readonly string[] | undefined> {
  const frames = await plane.streams.readEvents(id, after);
  if (isStandalone) {
    await plane.streams.remove(id);
    return frames;
  }
  openEventStream(response, {});
  for (const frame of frames) response.write(frame);
  response.end();
  return undefined;
}

const createEndedRefusal = (): HttpRefusalError =>
  new HttpRefusalError(404, -32001, 'the stream of this event id has ended');
