import { describe, expect, it } from '@jest/globals';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { BodyRoom, PersonRoom } from './body-room.ts';
import { HttpError } from '../errors/http-error.ts';

describe('the room for large bodies', () => {
  const begin = (room: BodyRoom, length?: number, limit = 600) => {
    const raw = new EventEmitter();
    const headers = length === undefined ? {} : { 'content-length': String(length) };
    const outcomes: unknown[] = [];
    room.hook(limit)({ headers } as FastifyRequest, { raw } as unknown as FastifyReply, (refusal) =>
      outcomes.push(refusal),
    );
    const [refusal] = outcomes;
    expect(outcomes).toHaveLength(1);
    return {
      status: refusal === undefined ? 'taken' : (refusal as HttpError).status,
      close: () => void raw.emit('close'),
    };
  };

  it('takes exactly as much as it has, and more when something of it has ended', () => {
    const room = new BodyRoom(1_000);
    const first = begin(room, 600);
    const second = begin(room, 400);
    expect([first.status, second.status, begin(room, 1).status]).toEqual(['taken', 'taken', 503]);
    second.close();
    expect(begin(room, 401).status).toBe(503);
    expect([begin(room, 400).status, begin(room, 1).status]).toEqual(['taken', 503]);
  });

  it('gets nothing back from what it has not taken', () => {
    const room = new BodyRoom(1_000);
    begin(room, 600);
    begin(room, 600).close();
    expect([begin(room, 401).status, begin(room, 400).status]).toEqual([503, 'taken']);
  });

  it('counts what does not tell its length, or more than is read of it, as the most that is read', () => {
    const room = new BodyRoom(1_200);
    expect([begin(room).status, begin(room, 10_000_000).status, begin(room, 1).status]).toEqual([
      'taken',
      'taken',
      503,
    ]);
  });

  it('takes what has no body at any time', () => {
    const room = new BodyRoom(600);
    expect([begin(room, 600).status, begin(room, 0).status]).toEqual(['taken', 'taken']);
  });
});

describe('a client that leaves while the guard decides', () => {
  const left = async (room: BodyRoom | PersonRoom) => {
    const server = fastify();
    const steps = new EventEmitter();
    const [asked, decided, held] = [once(steps, 'asked'), once(steps, 'decided'), once(steps, 'held')];
    const guard = async (request: FastifyRequest, reply: FastifyReply) => {
      Object.assign(request, { caller: { issuer: 'https://issuer.test', subject: 'alice', roles: new Set(['user']) } });
      reply.raw.once('close', () => void setImmediate(() => steps.emit('decided')));
      steps.emit('asked');
      await decided;
    };
    const after = (_request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      steps.emit('held');
      done();
    };
    server.post('/', { onRequest: [guard, room.hook(600), after] }, () => 'done');
    await server.listen({ port: 0, host: '127.0.0.1' });
    const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n');
    await asked;
    client.destroy();
    await held;
    await server.close();
  };

  it('holds nothing of the room of all', async () => {
    const room = new BodyRoom(600);
    await left(room);
    const outcomes: unknown[] = [];
    const reply = { raw: new EventEmitter() } as unknown as FastifyReply;
    room.hook(600)({ headers: {} } as FastifyRequest, reply, (refusal) => outcomes.push(refusal));
    expect(outcomes).toEqual([undefined]);
  });

  it('holds nothing of its own room', async () => {
    const room = new PersonRoom(600);
    await left(room);
    expect(room.size).toBe(0);
  });
});

describe('the room of one person', () => {
  const begin = (room: PersonRoom, subject: string, length: number, role: 'user' | 'gateway' = 'user') => {
    const raw = new EventEmitter();
    const request = {
      headers: { 'content-length': String(length) },
      caller: { issuer: 'https://issuer.test', subject, roles: new Set(['user', role]) },
    };
    let refusal: Error | undefined;
    room.hook(600)(request as unknown as FastifyRequest, { raw } as unknown as FastifyReply, (error) => {
      refusal = error;
    });
    return { status: (refusal as HttpError | undefined)?.status ?? 'taken', close: () => void raw.emit('close') };
  };

  it('is of each person alone, and is given back', () => {
    const room = new PersonRoom(1_000);
    const [first, second] = [begin(room, 'alice', 600), begin(room, 'alice', 400)];
    expect([first.status, second.status]).toEqual(['taken', 'taken']);
    expect([begin(room, 'alice', 1).status, begin(room, 'bob', 600).status]).toEqual([503, 'taken']);
    first.close();
    expect([begin(room, 'alice', 600).status, begin(room, 'alice', 1).status]).toEqual(['taken', 503]);
  });

  it('forgets people without requests', () => {
    const room = new PersonRoom(1_000);
    const requests = [begin(room, 'alice', 600), begin(room, 'alice', 0), begin(room, 'alice', 400)];
    expect(room.size).toBe(1);
    for (const { close } of requests) close();
    expect(room.size).toBe(0);
  });

  it('is no limit for the clients of gateways', () => {
    const room = new PersonRoom(1_000);
    for (let count = 0; count < 3; count += 1) expect(begin(room, 'ai-gateway', 600, 'gateway').status).toBe('taken');
  });
});
