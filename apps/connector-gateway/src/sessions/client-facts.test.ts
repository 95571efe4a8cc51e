import { describe, expect, it } from '@jest/globals';
import { readClientFacts } from './client-facts.ts';

const read = (clientInfo: unknown, protocolVersion = '2025-06-18') =>
  readClientFacts({ params: { protocolVersion, clientInfo } });

describe('readClientFacts', () => {
  it('returns name, version and negotiated revision', () => {
    expect(read({ name: 'inspector', version: '1.2' })).toEqual({
      clientName: 'inspector',
      clientVersion: '1.2',
      revision: '2025-06-18',
    });
    expect(read({}, '1999-01-01').revision).toBe('2025-11-25');
  });

  it('replaces characters that a database or a terminal cannot hold, and shortens long texts', () => {
    expect(read({ name: 'a\0b\u001B[2J\nc\uD800', version: 'v'.repeat(5_000) })).toMatchObject({
      clientName: 'a\uFFFDb\uFFFD[2J\uFFFDc\uFFFD',
      clientVersion: 'v'.repeat(200),
    });
  });

  it('has no name of a client that sent none', () => {
    expect(read({ name: 7 })).toMatchObject({ clientName: null, clientVersion: null });
    expect(readClientFacts({}).clientName).toBeNull();
  });
});
