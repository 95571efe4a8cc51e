import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';

/**
 * How many bytes of large bodies a port works on at a time, from before they are read until their answers are sent. More are turned away with 503 before
 * anything of them is read: when a database stands still, batches that wait for it must not fill the memory of the process.
 */
export class BodyRoom {
  private left: number;

  /** @param bytes of all such bodies together; one that is larger than all of it is never taken */
  constructor(bytes: number) {
    this.left = bytes;
  }

  /** An `onRequest` hook for routes whose bodies are at most `limit` bytes. A body that does not tell its length counts as the largest. */
  readonly hook =
    (limit: number) =>
    ({ headers }: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void): void => {
      const told = headers['content-length'];
      const bytes = Math.min(told === undefined ? limit : Number(told), limit);
      if (bytes > this.left) {
        done(new Refusal('unavailable', 'as many large requests are being worked on as there is room for; come again'));
        return;
      }
      this.left -= bytes;
      reply.raw.once('close', () => {
        this.left += bytes;
      });
      done();
    };
}
