import { describe, expect, it } from '@jest/globals';
import { getOwnerKey } from './principals.ts';

describe('getOwnerKey', () => {
  it('is the same for all credentials of a user, and differs between users and issuers', () => {
    const [own, sameUser, otherUser, otherIssuer] = [
      { issuer: 'https://a.example', subject: 'ann' },
      { issuer: 'https://a.example', subject: 'ann' },
      { issuer: 'https://a.example', subject: 'ann bob' },
      { issuer: 'https://a.example ann', subject: 'bob' },
    ].map((owner) => getOwnerKey({ owner }));
    expect(sameUser).toBe(own);
    expect(new Set([own, otherUser, otherIssuer]).size).toBe(3);
  });
});
