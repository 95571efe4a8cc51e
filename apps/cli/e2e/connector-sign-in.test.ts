import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { findChromium } from '@gatehouse/testing/chromium';
import { describeWhen } from '@gatehouse/testing/fixture';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { addressIn, LocalPlatform } from './local-platform.ts';

jest.setTimeout(120_000);

let platform: LocalPlatform;
let upstream: McpUpstream;
let provider: TestIssuer;
beforeAll(async () => {
  upstream = await startMcpUpstream();
  provider = await startIssuer();
  platform = await LocalPlatform.start();
  const ok = (...args: string[]) => platform.gatehouse.ok(...args);
  expect((await platform.login('admin')).code).toBe(0);
  await ok('admin', 'groups', 'create', 'readers');
  await ok('admin', 'groups', 'add-user', 'readers', 'admin');
  await ok('admin', 'providers', 'create', 'Files', '--issuer', provider.issuer, '--dcr', '--private-addresses');
  const endpoint = ['--endpoint', upstream.url, '--private-addresses'];
  const auth = ['--auth', 'upstreamInject', '--provider', 'Files'];
  await ok('admin', 'connectors', 'create', 'Files', ...endpoint, ...auth, '--publish');
  await ok('admin', 'connectors', 'create', 'Open', ...endpoint, '--publish');
  for (const slug of ['files', 'open']) await ok('admin', 'policy', 'grant', slug, '--group', 'readers');
});
afterAll(async () => {
  await platform.stop();
  await upstream.close();
  await provider.close();
});

/** Goes through the pages of a link as a browser of a user. @returns the last page */
async function approve(link: string, name: string): Promise<string> {
  const browser = new Browser();
  const page = await browser.open(link);
  const consent = await browser.submit(page.url, { login: name, password: platform.password(name) });
  if (consent.status !== 200) return consent.html;
  const fields = { csrf: hiddenField(consent.html, 'csrf'), decision: 'connect' };
  return (await browser.submit(consent.url, fields)).html;
}

describe('gatehouse connectors connect', () => {
  it('waits until the caller has signed in, and disconnect ends it', async () => {
    const running = platform.gatehouse.begin(['connectors', 'connect', 'files', '--no-browser']);
    const link = await addressIn(running);
    expect(await approve(link, 'alice')).toContain('belongs to another person');
    expect(await approve(link, 'admin')).toContain('is connected');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining('files is connected')]);
    const again = await platform.gatehouse.call(['connectors', 'connect', 'files']);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('was connected before')]);

    const ended = await platform.gatehouse.call(['connectors', 'disconnect', 'files']);
    expect([ended.code, ended.stderr]).toEqual([0, 'files is disconnected\n']);
    expect(provider.authorization.requests.at(-1)?.path).toBe('/revoke');
  });

  it('ends with an error at its timeout', async () => {
    const { code, stderr } = await platform.gatehouse.call([
      'connectors',
      'connect',
      'files',
      '--no-browser',
      '--timeout',
      '1s',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('was not connected within 1s')]);
  });

  it('refuses a connector that needs no sign-in', async () => {
    for (const command of ['connect', 'disconnect']) {
      const { code, stderr } = await platform.gatehouse.call(['connectors', command, 'open']);
      expect([code, stderr]).toEqual([4, expect.stringContaining('nothing to connect')]);
    }
  });
});

describeWhen(findChromium(), 'gatehouse connectors connect with a real browser', (executablePath) => {
  it('goes through sign-in, consent and provider', async () => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await (await browser.newContext()).newPage();
      page.setDefaultTimeout(90_000);
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      const running = platform.gatehouse.begin(['connectors', 'connect', 'files', '--no-browser']);
      await page.goto(await addressIn(running));
      await page.getByLabel('Name or e-mail').fill('admin');
      await page.getByLabel('Password').fill(platform.password('admin'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Connect Files?' }).waitFor();
      await page.screenshot({ path: resolve(import.meta.dirname, '../dist-test', 'connect-consent.png') });
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByRole('heading', { name: 'Files is connected' }).waitFor();
      expect((await running.ended).stderr).toContain('files is connected');
      expect(problems.filter((text) => /content security policy/i.test(text))).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
