import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { freePorts } from '@gatehouse/testing/ports';
import { ConnectWorld } from './support/connect-world.ts';
import { CLIENT_REDIRECT, decide, openConsent } from './support/mcp-sign-in.ts';
import { createAuthorization, redeem, registerClient } from './support/raw-authorization.ts';
import type { Gateway } from './support/world.ts';

let scene: ConnectWorld;
let gateway: Gateway;
let clientId: string;
beforeAll(async () => {
  scene = await ConnectWorld.start();
  const [port] = await freePorts(1);
  gateway = await scene.gateway({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  clientId = await registerClient(gateway.url);
});
afterAll(() => scene.close());
beforeEach(async () => {
  await scene.world.sql('DELETE FROM corporate_grants');
});

/** The requests of browsers for a sign-in at the corporate provider. */
const listSignIns = () =>
  scene.world.issuer.authorization.requests
    .filter(({ path }) => path === '/authorize')
    .map(({ parameters }) => parameters);

/** Begins an authorization of an MCP client. @returns the page that it leads to */
const openAuthorization = (browser: Browser) => openConsent(createAuthorization(gateway.url, clientId).url, browser);

const countGrants = async () =>
  (await scene.world.sql('SELECT id FROM corporate_grants WHERE revoke_at IS NULL')).length;

/** The last audit event of an authorization. */
const findLastEvent = async () =>
  (
    await scene.world.sql<{ outcome: string; subject: string }>(
      `SELECT outcome, subject FROM audit_events WHERE operation = 'Authorize an MCP client' ORDER BY occurred_at DESC LIMIT 1`,
    )
  )[0];

/** Signs alice out, on the page for a link of another person. */
const signOut = async (browser: Browser) => {
  const page = await browser.open(await scene.begin(gateway.controlUrl, 'bob'));
  return browser.submit(`${gateway.url}/oauth/sign-out`, { csrf: hiddenField(page.html, 'csrf') });
};

describe('a user who signed in for an MCP client', () => {
  it('connects a connector without another request to the corporate provider', async () => {
    const browser = scene.signIn('alice');
    expect((await decide(await openAuthorization(browser))).searchParams.get('code')).not.toBeNull();
    const before = listSignIns().length;
    const page = await scene.approve(browser, await scene.begin(gateway.controlUrl, 'alice'));
    expect(page.html).toContain('is connected');
    expect(listSignIns()).toHaveLength(before);
  });

  it('gets a session of its own, whatever cookie the browser had', async () => {
    const browser = scene.signIn('alice');
    const name = `gatehouse-${new URL(gateway.url).port}-session`;
    browser.setCookie(name, 'planted');
    await openAuthorization(browser);
    expect(browser.getCookie(name)).toHaveLength(43);
    const chosen = browser.getCookie(name);
    await openAuthorization(browser);
    expect(browser.getCookie(name)).toBe(chosen);
  });
});

describe('an authorization in a browser with a session', () => {
  it('gets its corporate tokens with a redirect that lets the provider use its own session', async () => {
    const browser = scene.signIn('alice');
    await scene.approve(browser, await scene.begin(gateway.controlUrl, 'alice'));
    const before = listSignIns().length;
    const opened = await openAuthorization(browser);
    expect(opened.page.html).toContain('alice');
    const requests = listSignIns().slice(before);
    expect(requests.map((parameters) => parameters.get('prompt'))).toEqual([null]);
    expect((await decide(opened)).searchParams.get('code')).not.toBeNull();
    expect(await countGrants()).toBe(1);
  });

  it('is refused when the provider signs in another person, and goes on with the own one', async () => {
    const browser = scene.signIn('alice');
    await scene.approve(browser, await scene.begin(gateway.controlUrl, 'alice'));
    scene.signIn('bob');
    const { page } = await openAuthorization(browser);
    expect(page.status).toBe(403);
    expect(page.html).toContain('You are signed in here as alice');
    expect(await findLastEvent()).toEqual({ outcome: 'forbidden', subject: 'alice' });
    scene.signIn('alice');
    const interaction = page.url.replace(/\/corporate.*/, '');
    const again = await browser.open(`${interaction}?prompt=login`);
    expect(listSignIns().at(-1)?.get('prompt')).toBe('login');
    expect((await decide({ browser, page: again })).searchParams.get('code')).not.toBeNull();
    expect(await findLastEvent()).toEqual({ outcome: 'succeeded', subject: 'alice' });
  });

  it('is possible for another person after a sign-out', async () => {
    const browser = scene.signIn('alice');
    await openAuthorization(browser);
    expect((await signOut(browser)).html).toContain('Signed out');
    scene.signIn('bob');
    const { page } = await openAuthorization(browser);
    expect(page.html).toContain('bob');
    expect(page.html).not.toContain('alice');
  });

  it('signs in again when the user has signed out before the decision', async () => {
    const browser = scene.signIn('alice');
    const { page } = await openAuthorization(browser);
    await signOut(browser);
    const before = listSignIns().length;
    const fields = { form_token: hiddenField(page.html, 'form_token'), decision: 'allow' };
    const answer = await browser.submit(page.url, fields, CLIENT_REDIRECT);
    expect(answer.html).toContain('name="form_token"');
    expect(listSignIns()).toHaveLength(before + 1);
    expect(await countGrants()).toBe(0);
  });

  it('gives no grant of a person who was replaced before the decision', async () => {
    const browser = scene.signIn('alice');
    const { page } = await openAuthorization(browser);
    await signOut(browser);
    scene.signIn('bob');
    await openAuthorization(browser);
    const fields = { form_token: hiddenField(page.html, 'form_token'), decision: 'allow' };
    const answer = await browser.submit(page.url, fields, CLIENT_REDIRECT);
    expect(answer.html).toContain('bob');
    expect(await countGrants()).toBe(0);
  });
});

describe('a consent form', () => {
  it('that is sent twice at the same time gives one grant', async () => {
    const browser = scene.signIn('alice');
    const { page } = await openAuthorization(browser);
    const fields = { form_token: hiddenField(page.html, 'form_token'), decision: 'allow' };
    const answers = await Promise.all([1, 2, 3].map(() => browser.submit(page.url, fields, CLIENT_REDIRECT)));
    expect(answers.filter(({ url }) => url.startsWith(CLIENT_REDIRECT)).length).toBeGreaterThan(0);
    expect(await countGrants()).toBe(1);
  });

  it('gives the grant of the person of the session', async () => {
    const browser = scene.signIn('bob');
    const { url, verifier } = createAuthorization(gateway.url, clientId);
    const code = (await decide(await openConsent(url, browser))).searchParams.get('code') ?? '';
    expect((await redeem(gateway.url, { clientId, code, verifier })).status).toBe(200);
    expect(await scene.world.sql('SELECT subject FROM corporate_grants')).toEqual([{ subject: 'bob' }]);
  });
});
