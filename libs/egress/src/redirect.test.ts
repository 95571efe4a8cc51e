import { describe, expect, it } from '@jest/globals';
import { EgressRefusal } from './egress-refusal.ts';
import { nextHop } from './redirect.ts';

const hop = (init: RequestInit = {}) => ({ url: new URL('https://a.example/mcp'), init });
const secret = {
  authorization: 'Bearer t',
  cookie: 'c=1',
  'mcp-session-id': 's',
  'x-api-key': 'k',
  'x-any-name-an-administrator-chose': 'k',
  accept: 'text/plain',
};
const headersAfter = (location: string) =>
  Object.fromEntries(new Headers(nextHop(hop({ headers: secret }), 307, location)?.init.headers));

describe('nextHop', () => {
  it.each(['https://b.example/mcp', 'https://a.example:444/mcp', '//b.example/mcp'])(
    'sends no credentials to another origin (%s)',
    (location) => {
      expect(headersAfter(location)).toEqual({ accept: 'text/plain' });
    },
  );

  it('keeps all headers on the same origin', () => {
    expect(headersAfter('/v2')).toEqual(secret);
  });

  it('refuses a redirect from https to http', () => {
    expect(() => nextHop(hop(), 302, 'http://a.example/mcp')).toThrow(EgressRefusal);
  });

  it.each(['https://', 'http://[::1', 'gopher://a.example/', 'https://a.example:25/'])(
    'refuses a redirect to %s',
    (location) => {
      expect(() => nextHop(hop(), 302, location)).toThrow(EgressRefusal);
    },
  );

  it('refuses to send a streamed body again', () => {
    expect(() => nextHop(hop({ method: 'POST', body: new ReadableStream() }), 307, '/v2')).toThrow(EgressRefusal);
  });

  it.each([
    [304, '/x'],
    [200, '/x'],
    [302, null],
  ])('returns undefined for %i with location %j', (status, location) => {
    expect(nextHop(hop(), status, location)).toBeUndefined();
  });
});
