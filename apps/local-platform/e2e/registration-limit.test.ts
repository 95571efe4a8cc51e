import { describe, expect, it } from '@jest/globals';
import { startIdentityProvider } from './identity-provider.ts';

describe('POST /reg', () => {
  it('admits 30 registrations a minute, and refuses others in the form of RFC 7591', async () => {
    const idp = await startIdentityProvider();
    try {
      const responses = await Promise.all(
        Array.from({ length: 35 }, () =>
          fetch(`${idp.issuer}/reg`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:7777/cb'] }),
          }),
        ),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(30);
      const [refused] = responses.filter(({ status }) => status !== 201);
      expect(refused?.status).toBe(429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused?.json()).toEqual({
        error: 'temporarily_unavailable',
        error_description: expect.stringContaining('more than 30 registrations in one minute'),
      });
      const { status } = await fetch(`${idp.issuer}/.well-known/openid-configuration`);
      expect(status).toBe(200);
    } finally {
      await idp.remove();
    }
  });

  it('counts every accepted spelling of its path', async () => {
    const idp = await startIdentityProvider();
    try {
      const register = (path: string) =>
        fetch(`${idp.issuer}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:7777/cb'] }),
        });
      const responses = await Promise.all(Array.from({ length: 30 }, () => register('/REG')));
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(30);
      for (const path of ['/reg', '/Reg', '/reg/', '/reg?x=1'])
        expect([path, (await register(path)).status]).toEqual([path, 429]);
    } finally {
      await idp.remove();
    }
  });
});
