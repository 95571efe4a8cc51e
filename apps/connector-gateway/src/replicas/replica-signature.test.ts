import { describe, expect, it } from '@jest/globals';
import { SignatureCheck, type SignedRequest, signRequest } from './replica-signature.ts';

const KEY = 'k'.repeat(32);
const NOW = 1_800_000_000_000;

const request = (more: Partial<SignedRequest> = {}): SignedRequest => ({
  method: 'POST',
  path: '/forwarded-requests',
  body: Buffer.from('{}'),
  time: NOW,
  nonce: 'n1',
  ...more,
});

const createCheck = (now = NOW) => new SignatureCheck(KEY, () => now);

describe('SignatureCheck', () => {
  it('accepts a request once', () => {
    const check = createCheck();
    expect(check.accept(request(), signRequest(KEY, request()))).toBe(true);
    expect(check.accept(request(), signRequest(KEY, request()))).toBe(false);
    expect(check.accept(request({ nonce: 'n2' }), signRequest(KEY, request({ nonce: 'n2' })))).toBe(true);
  });

  it.each<[string, Partial<SignedRequest>]>([
    ['method', { method: 'GET' }],
    ['path', { path: '/other' }],
    ['body', { body: Buffer.from('{ }') }],
    ['time', { time: NOW + 1 }],
    ['nonce', { nonce: 'n2' }],
  ])('refuses a changed %s', (_, change) => {
    expect(createCheck().accept(request(change), signRequest(KEY, request()))).toBe(false);
  });

  it.each(['', 'x', 'é'.repeat(32), 'g'.repeat(64)])('refuses the signature %j', (signature) => {
    expect(createCheck().accept(request(), signature)).toBe(false);
  });

  it('refuses another key', () => {
    expect(createCheck().accept(request(), signRequest('x'.repeat(32), request()))).toBe(false);
  });

  it.each([60_001, -60_001])('refuses a time that is off by %d ms', (off) => {
    expect(createCheck(NOW + off).accept(request(), signRequest(KEY, request()))).toBe(false);
    expect(createCheck(NOW + off).isTimely(NOW)).toBe(false);
  });
});
