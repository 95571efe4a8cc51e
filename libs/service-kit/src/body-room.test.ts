import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventEmitter } from 'node:events';
import { BodyRoom, PersonRoom } from './body-room.ts';
import { Refusal } from './refusal.ts';

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
      status: refusal === undefined ? 'taken' : (refusal as Refusal).status,
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
    return { status: (refusal as Refusal | undefined)?.status ?? 'taken', close: () => void raw.emit('close') };
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
