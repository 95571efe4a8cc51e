import { describe, expect, it } from '@jest/globals';
import type { OwnedStream, StreamFacts, StreamOwners } from '../ports/stream-owners.ts';
import { Session } from './session.ts';

const ID = 'session-1';

/** A session, and the streams that it created. */
function begin(capabilities: object = {}) {
  const created: { facts: StreamFacts; isEnded: boolean }[] = [];
  const create = (facts: StreamFacts): OwnedStream => {
    const entry = { facts, isEnded: false };
    created.push(entry);
    return {
      setOrigin: () => undefined,
      note: () => undefined,
      open: () => Promise.resolve(),
      append: () => Promise.resolve(),
      settled: () => Promise.resolve(),
      end: () => void (entry.isEnded = true),
    };
  };
  const stored = {
    id: ID,
    issuer: 'https://issuer.test',
    subject: 'alice',
    userId: null,
    slug: null,
    mode: null,
    initialize: { params: { protocolVersion: '2025-06-18', capabilities } },
    logLevel: null,
    subscriptions: [],
  };
  return { session: new Session(stored, 0, { create } as Partial<StreamOwners> as StreamOwners), created };
}

describe('Session', () => {
  it('creates the stream of a GET at its first use, once', () => {
    const { session, created } = begin();
    session.keepAlive();
    expect(created).toHaveLength(0);
    const { standalone } = session;
    expect(session.findChannel(standalone.id)).toBe(standalone);
    expect(session.findChannel('gffffffff')).toBeUndefined();
    expect(created.map(({ facts }) => facts.resumable)).toEqual([{ sessionId: ID, channel: standalone.id }]);
  });

  it('ends the stream of a GET that arrives during its end', () => {
    const { session, created } = begin();
    session.end('the session has ended');
    expect(session.standalone.isEnded).toBe(true);
    expect(created[0]?.isEnded).toBe(true);
  });

  it('remembers running requests while a connection is open and after it', () => {
    const { session } = begin();
    const reasons: string[] = [];
    session.enter();
    session.start(1, { cancel: (reason) => reasons.push(reason) });
    session.leave();
    expect(session.isRunning(1)).toBe(true);
    session.end('the gateway is stopping');
    expect(reasons).toEqual(['the gateway is stopping']);
    session.finish(1);
    expect(session.isRunning(1)).toBe(false);
  });

  it('keeps only the capabilities that concern upstreams', () => {
    const elicitation = { form: {} };
    expect(begin({ elicitation, experimental: { large: 'x' } }).session.capabilities).toEqual({ elicitation });
    expect(begin({ roots: true }).session.capabilities).toBe(begin().session.capabilities);
  });

  it('takes a changed level over without a change of subscriptions', () => {
    const { session } = begin();
    session.update({ logLevel: 'error' });
    session.update({ subscriptions: ['test://a'] });
    expect([session.logLevel, session.subscriptions]).toEqual(['error', ['test://a']]);
  });
});
