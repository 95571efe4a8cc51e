import type { FastifyReply, FastifyRequest } from 'fastify';
import { isGatewayOnly } from '@gatehouse/auth/roles';
import { HttpError } from '../errors/http-error.ts';

/**
 * Limits the bytes of large bodies that a port processes at a time, from before a body is read
 * until its answer is sent. Further bodies are refused with 503 before they are read, so that
 * batches that wait for the database do not fill the memory of the process.
 */
export class LargeBodyLimiter {
  private free: number;

  /** @param bytes of all large bodies together; a larger body is always refused */
  constructor(bytes: number) {
    this.free = bytes;
  }

  /** An `onRequest` hook for routes whose bodies are at most `limit` bytes. */
  readonly hook =
    (limit: number) =>
    ({ headers }: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void): void => {
      const bytes = getMaxBodyBytes(headers, limit);
      if (bytes > this.free) {
        done(new HttpError('unavailable', 'too many large requests are in progress; try again later'));
        return;
      }
      this.free -= bytes;
      whenClosed(reply.raw, () => {
        this.free += bytes;
      });
      done();
    };
}

/**
 * Limits the bytes of bodies that a port processes for one user at a time, from before a body is
 * read until its answer is sent. Further bodies are refused with 503 before they are read. The
 * clients of gateways have no limit here.
 */
export class UserBodyLimiter {
  /** Bytes in progress by user. */
  private readonly used = new Map<string, number>();

  /** @param maximum bytes of one user */
  constructor(private readonly maximum: number) {}

  /** An `onRequest` hook after the guard, for routes whose bodies are at most `limit` bytes. */
  readonly hook =
    (limit: number) =>
    ({ headers, caller }: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void): void => {
      const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
      const bytes = hasBody ? getMaxBodyBytes(headers, limit) : 0;
      if (caller === undefined || bytes === 0 || isGatewayOnly(caller.roles)) {
        done();
        return;
      }
      const user = JSON.stringify([caller.issuer, caller.subject]);
      const used = this.used.get(user) ?? 0;
      if (used + bytes > this.maximum) {
        const megabytes = this.maximum / 1024 / 1024;
        const message = `your requests in progress have more than ${megabytes} MiB; wait for their answers`;
        done(new HttpError('unavailable', message));
        return;
      }
      this.used.set(user, used + bytes);
      whenClosed(reply.raw, () => {
        const rest = (this.used.get(user) ?? 0) - bytes;
        if (rest > 0) this.used.set(user, rest);
        else this.used.delete(user);
      });
      done();
    };

  /** Number of users with requests in progress. */
  get size(): number {
    return this.used.size;
  }
}

/** Calls back when the connection of an answer ends, at once if it has already ended. */
function whenClosed(raw: FastifyReply['raw'], free: () => void): void {
  if (raw.closed) free();
  else raw.once('close', free);
}

/** A body without Content-Length counts as the largest. */
function getMaxBodyBytes(headers: FastifyRequest['headers'], limit: number): number {
  const length = headers['content-length'];
  return Math.min(length === undefined ? limit : Number(length), limit);
}
