import type { FastifyReply, FastifyRequest } from 'fastify';
import { isGatewayOnly } from '@gatehouse/auth/roles';
import { HttpError } from '../errors/http-error.ts';

/**
 * How many bytes of large bodies a port works on at a time, from before they are read until their
 * answers are sent. More are turned away with 503 before anything of them is read: when a database
 * stands still, batches that wait for it must not fill the memory of the process.
 */
export class BodyRoom {
  private left: number;

  /** @param bytes of all such bodies together; one that is larger than all of it is never taken */
  constructor(bytes: number) {
    this.left = bytes;
  }

  /**
   * An `onRequest` hook for routes whose bodies are at most `limit` bytes. A body that does not
   * tell its length counts as the largest.
   */
  readonly hook =
    (limit: number) =>
    ({ headers }: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void): void => {
      const bytes = bytesOf(headers, limit);
      if (bytes > this.left) {
        done(
          new HttpError('unavailable', 'as many large requests are being worked on as there is room for; come again'),
        );
        return;
      }
      this.left -= bytes;
      whenClosed(reply.raw, () => {
        this.left += bytes;
      });
      done();
    };
}

/**
 * How many bytes of bodies a port works on for one person at a time, from before they are read
 * until their answers are sent. More are refused with 503 before they are read. The clients of
 * gateways are no persons and have no limit here.
 */
export class PersonRoom {
  private readonly held = new Map<string, number>();

  /** @param most bytes of one person */
  constructor(private readonly most: number) {}

  /** An `onRequest` hook behind the guard, for routes whose bodies are at most `limit` bytes. */
  readonly hook =
    (limit: number) =>
    ({ headers, caller }: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void): void => {
      const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
      const bytes = hasBody ? bytesOf(headers, limit) : 0;
      if (caller === undefined || bytes === 0 || isGatewayOnly(caller.roles)) {
        done();
        return;
      }
      const person = JSON.stringify([caller.issuer, caller.subject]);
      const held = this.held.get(person) ?? 0;
      if (held + bytes > this.most) {
        const megabytes = this.most / 1024 / 1024;
        done(new HttpError('unavailable', `your requests hold more than ${megabytes} MiB; wait for their answers`));
        return;
      }
      this.held.set(person, held + bytes);
      whenClosed(reply.raw, () => {
        const left = (this.held.get(person) ?? 0) - bytes;
        if (left > 0) this.held.set(person, left);
        else this.held.delete(person);
      });
      done();
    };

  /** How many people have requests in work. */
  get size(): number {
    return this.held.size;
  }
}

/**
 * Calls back when the connection of an answer ends: at once when the client left while the guard
 * decided.
 */
function whenClosed(raw: FastifyReply['raw'], free: () => void): void {
  if (raw.closed) free();
  else raw.once('close', free);
}

/** A body without Content-Length counts as the largest. */
function bytesOf(headers: FastifyRequest['headers'], limit: number): number {
  const length = headers['content-length'];
  return Math.min(length === undefined ? limit : Number(length), limit);
}
