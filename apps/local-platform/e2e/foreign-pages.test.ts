import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '@gatehouse/testing/form-browser';
import * as oidc from 'openid-client';
import { type Issuer, startIdentityProvider } from './identity-provider.ts';

const CALLBACK = 'http://127.0.0.1:1/callback';

describe('a form of the identity provider', () => {
  let idp: Issuer;
  beforeAll(async () => {
    idp = await startIdentityProvider();
  });
  afterAll(() => idp.remove());

  it('refuses a form that a web page of another address or port sends', async () => {
    const insecure = { execute: [oidc.allowInsecureRequests] };
    const config = await oidc.discovery(new URL(idp.issuer), 'gatehouse-cli', undefined, oidc.None(), insecure);
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      state: oidc.randomState(),
      code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    });
    const browser = new Browser();
    const page = await browser.open(url.href);
    const send = (headers: Record<string, string>) =>
      browser.open(page.url, CALLBACK, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ login: 'alice', password: idp.password('alice') }),
      });
    for (const headers of [
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://hostile.example' },
      { origin: 'http://127.0.0.1:3000' },
    ])
      expect(await send(headers)).toMatchObject({ status: 403, html: expect.stringContaining('another address') });
    expect((await send({ 'sec-fetch-site': 'same-origin', origin: 'null' })).url).toContain('code=');
  });

  it('refuses such a form for every accepted spelling of its path', async () => {
    for (const path of ['/device', '/Device', '/DEVICE/', '/Session/End/Confirm']) {
      const { status } = await fetch(`${idp.issuer}${path}`, {
        method: 'POST',
        headers: { origin: 'https://hostile.example' },
        body: new URLSearchParams({ xsrf: 'x' }),
      });
      expect([path, status]).toEqual([path, 403]);
    }
  });
});
