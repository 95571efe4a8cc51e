import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findChromium } from '@gatehouse/testing/chromium';
import { describeWhen } from '@gatehouse/testing/fixture';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ISSUER, service, settings, start } from './things.ts';

/** The screenshot of the page. */
const PICTURE = resolve(import.meta.dirname, '../dist-test/reference.png');

describeWhen(findChromium(), 'the reference page in a browser', (executablePath) => {
  let browser: Browser;
  beforeAll(async () => {
    // With a public host name, the library could send the document to its public validator.
    const rules = '--host-resolver-rules=MAP gatehouse.example.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', rules] });
  });
  afterAll(() => browser.close());

  it('shows every operation, without errors and without requests to other hosts', async () => {
    const origin = `http://gatehouse.example.test:${new URL(service.url).port}`;
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const complaints: string[] = [];
    const requestedUrls = new Set<string>();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requestedUrls.add(request.url()));
    await page.goto(`${origin}/api/doc`);
    await page.locator('#overview').waitFor({ state: 'detached' });
    await page.getByText('Create thing').waitFor();
    for (const text of ['Things <service>', 'For tests', 'List things', 'Health check', 'Authorize'])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    await page.getByText('Create thing').click();
    await page.getByText('Request body', { exact: false }).first().waitFor();
    await page.screenshot({ path: PICTURE });
    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    expect([...requestedUrls].filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
  });

  it('lists the operations before a script runs', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${service.url}/api/doc`);
    expect(await page.getByText('Create thing').isVisible()).toBe(true);
    await page.close();
  });

  it('signs a user in at the issuer, keeps the token in memory, and sends it with an operation', async () => {
    const provider = await startProvider();
    const ISSUERS = [{ id: 'local', issuer: provider.url, jwks_uri: `${ISSUER}/keys` }];
    const one = await start({
      settings: settings({ REFERENCE_CLIENT_ID: 'reference', ISSUERS: JSON.stringify(ISSUERS) }),
      // The discovery document comes over the network, unlike the keys in other tests.
      fetch,
    });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(90_000);
      const requestedOrigins = new Set<string>();
      page.on('request', (request) => requestedOrigins.add(new URL(request.url()).origin));
      const shown = await page.goto(`${one.url}/api/doc#/things`);
      expect(shown?.headers()['content-security-policy']).toContain(`connect-src 'self' ${provider.url};`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Signed in as alice').waitFor();
      expect(page.url()).toBe(`${one.url}/api/doc#/things`);
      expect(provider.problems).toEqual([]);
      const sent = page.waitForRequest(`${one.url}/v1/things/who/me`);
      await page.getByText('Who am I').first().click();
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByRole('button', { name: 'Execute' }).click();
      expect((await sent).headers()['authorization']).toBe(`Bearer ${provider.token}`);
      const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
      expect(kept).not.toContain(provider.token);
      expect([...requestedOrigins].sort()).toEqual([one.url, provider.url].sort());
      await page.goto(`${one.url}/api/doc?code=stolen&state=forged`);
      await page.getByText('Sign-in failed: this page did not start the sign-in').waitFor();
    } finally {
      await provider.close();
    }
  });
});

/**
 * An OpenID provider that signs every user in as alice, and records the faults of requests (RFC
 * 6749, RFC 7636).
 */
async function startProvider() {
  const problems: string[] = [];
  const claims = Buffer.from(JSON.stringify({ sub: 'alice' })).toString('base64url');
  const token = `e30.${claims}.c2ln`;
  let challenge = '';
  const demand = (what: string, holds: boolean) => {
    if (!holds) problems.push(what);
  };
  const server = createServer((request, response) => {
    const requestUrl = new URL(request.url ?? '/', url);
    const { searchParams: query } = requestUrl;
    if (requestUrl.pathname === '/authorize') {
      demand('code', query.get('response_type') === 'code' && query.get('client_id') === 'reference');
      demand('S256', query.get('code_challenge_method') === 'S256');
      challenge = query.get('code_challenge') ?? '';
      const back = new URL(query.get('redirect_uri') ?? '');
      for (const [name, value] of [
        ['code', 'once'],
        ['state', query.get('state') ?? ''],
        ['iss', url],
      ] as const)
        back.searchParams.set(name, value);
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (requestUrl.pathname === '/token') {
      void text(request).then((body) => {
        const form = new URLSearchParams(body);
        const digest = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        demand('verifier', digest === challenge);
        demand('one code', form.get('code') === 'once' && form.get('grant_type') === 'authorization_code');
        response
          .writeHead(200, {
            'content-type': 'application/json',
            'access-control-allow-origin': request.headers.origin ?? '',
          })
          .end(JSON.stringify({ access_token: token, token_type: 'Bearer' }));
      });
      return;
    }
    const document = { issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token,
    problems,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
