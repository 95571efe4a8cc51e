import { describe, expect, it } from '@jest/globals';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { LargeBodyLimiter, UserBodyLimiter } from './body-limiter.ts';
import { HttpError } from '../errors/http-error.ts';

describe('LargeBodyLimiter', () => {
  const begin = (limiter: LargeBodyLimiter, length?: number, limit = 600) => {
    const raw = new EventEmitter();
    const headers = length === undefined ? {} : { 'content-length': String(length) };
    const outcomes: unknown[] = [];
    limiter.hook(limit)({ headers } as FastifyRequest, { raw } as unknown as FastifyReply, (refusal) =>
      outcomes.push(refusal),
    );
    const [refusal] = outcomes;
    expect(outcomes).toHaveLength(1);
    return {
      status: refusal === undefined ? 'accepted' : (refusal as HttpError).status,
      close: () => void raw.emit('close'),
    };
  };

  it('accepts bodies up to its size, and further ones after the end of an earlier request', () => {
    const limiter = new LargeBodyLimiter(1_000);
    const first = begin(limiter, 600);
    const second = begin(limiter, 400);
    expect([first.status, second.status, begin(limiter, 1).status]).toEqual(['accepted', 'accepted', 503]);
    second.close();
    expect(begin(limiter, 401).status).toBe(503);
    expect([begin(limiter, 400).status, begin(limiter, 1).status]).toEqual(['accepted', 503]);
  });

  it('ignores the end of a refused request', () => {
    const limiter = new LargeBodyLimiter(1_000);
    begin(limiter, 600);
    begin(limiter, 600).close();
    expect([begin(limiter, 401).status, begin(limiter, 400).status]).toEqual([503, 'accepted']);
  });

  it('counts a body of unknown or excessive length as the limit of its route', () => {
    const limiter = new LargeBodyLimiter(1_200);
    expect([begin(limiter).status, begin(limiter, 10_000_000).status, begin(limiter, 1).status]).toEqual([
      'accepted',
      'accepted',
      503,
    ]);
  });

  it('always accepts a request without a body', () => {
    const limiter = new LargeBodyLimiter(600);
    expect([begin(limiter, 600).status, begin(limiter, 0).status]).toEqual(['accepted', 'accepted']);
  });
});

describe('a client that disconnects while the guard decides', () => {
  const disconnect = async (limiter: LargeBodyLimiter | UserBodyLimiter) => {
    const server = fastify();
    const steps = new EventEmitter();
    const [begun, decided, held] = [once(steps, 'begun'), once(steps, 'decided'), once(steps, 'held')];
    const guard = async (request: FastifyRequest, reply: FastifyReply) => {
      Object.assign(request, { caller: { issuer: 'https://issuer.test', subject: 'alice', roles: new Set(['user']) } });
      reply.raw.once('close', () => void setImmediate(() => steps.emit('decided')));
      steps.emit('begun');
      await decided;
    };
    const after = (_request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      steps.emit('held');
      done();
    };
    server.post('/', { onRequest: [guard, limiter.hook(600), after] }, () => 'done');
    await server.listen({ port: 0, host: '127.0.0.1' });
    const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n');
    await begun;
    client.destroy();
    await held;
    await server.close();
  };

  it('does not count for the LargeBodyLimiter', async () => {
    const limiter = new LargeBodyLimiter(600);
    await disconnect(limiter);
    const outcomes: unknown[] = [];
    const reply = { raw: new EventEmitter() } as unknown as FastifyReply;
    limiter.hook(600)({ headers: {} } as FastifyRequest, reply, (refusal) => outcomes.push(refusal));
    expect(outcomes).toEqual([undefined]);
  });

  it('does not count for the UserBodyLimiter', async () => {
    const limiter = new UserBodyLimiter(600);
    await disconnect(limiter);
    expect(limiter.size).toBe(0);
  });
});

describe('UserBodyLimiter', () => {
  const begin = (limiter: UserBodyLimiter, subject: string, length: number, role: 'user' | 'gateway' = 'user') => {
    const raw = new EventEmitter();
    const request = {
      headers: { 'content-length': String(length) },
      caller: { issuer: 'https://issuer.test', subject, roles: new Set(['user', role]) },
    };
    let refusal: Error | undefined;
    limiter.hook(600)(request as unknown as FastifyRequest, { raw } as unknown as FastifyReply, (error) => {
      refusal = error;
    });
    return { status: (refusal as HttpError | undefined)?.status ?? 'accepted', close: () => void raw.emit('close') };
  };

  it('limits each user separately until the answers are sent', () => {
    const limiter = new UserBodyLimiter(1_000);
    const [first, second] = [begin(limiter, 'alice', 600), begin(limiter, 'alice', 400)];
    expect([first.status, second.status]).toEqual(['accepted', 'accepted']);
    expect([begin(limiter, 'alice', 1).status, begin(limiter, 'bob', 600).status]).toEqual([503, 'accepted']);
    first.close();
    expect([begin(limiter, 'alice', 600).status, begin(limiter, 'alice', 1).status]).toEqual(['accepted', 503]);
  });

  it('forgets users without requests', () => {
    const limiter = new UserBodyLimiter(1_000);
    const requests = [begin(limiter, 'alice', 600), begin(limiter, 'alice', 0), begin(limiter, 'alice', 400)];
    expect(limiter.size).toBe(1);
    for (const { close } of requests) close();
    expect(limiter.size).toBe(0);
  });

  it('does not limit the clients of gateways', () => {
    const limiter = new UserBodyLimiter(1_000);
    for (let count = 0; count < 3; count += 1)
      expect(begin(limiter, 'ai-gateway', 600, 'gateway').status).toBe('accepted');
  });
});
