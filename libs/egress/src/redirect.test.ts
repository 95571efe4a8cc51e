import { describe, expect, it } from '@jest/globals';
import { EgressRefusalError } from './egress-refusal.ts';
import { getNextHop } from './redirect.ts';

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
  Object.fromEntries(new Headers(getNextHop(hop({ headers: secret }), 307, location)?.init.headers));

describe('getNextHop', () => {
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
    expect(() => getNextHop(hop(), 302, 'http://a.example/mcp')).toThrow(EgressRefusalError);
  });

  it.each(['https://', 'http://[::1', 'gopher://a.example/', 'https://a.example:25/'])(
    'refuses a redirect to %s',
    (location) => {
      expect(() => getNextHop(hop(), 302, location)).toThrow(EgressRefusalError);
    },
  );

  it('refuses to send a streamed body again', () => {
    expect(() => getNextHop(hop({ method: 'POST', body: new ReadableStream() }), 307, '/v2')).toThrow(
      EgressRefusalError,
    );
  });

  it.each([
    [304, '/x'],
    [200, '/x'],
    [302, null],
  ])('returns undefined for %i with location %j', (status, location) => {
    expect(getNextHop(hop(), status, location)).toBeUndefined();
  });
});
