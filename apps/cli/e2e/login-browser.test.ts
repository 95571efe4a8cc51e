import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { findChromium } from '@gatehouse/testing/chromium';
import { describeWhen } from '@gatehouse/testing/fixture';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { addressIn, LocalPlatform } from './local-platform.ts';

jest.setTimeout(120_000);

/** Folder of the screenshots. */
const SHOTS = resolve(import.meta.dirname, '../dist-test');

describeWhen(findChromium(), 'gatehouse login with a real browser', (executablePath) => {
  let platform: LocalPlatform;
  let browser: Browser;
  let page: Page;
  /** The program that replaces the browser: it stores its arguments. */
  let opener: string;
  let opened: string;

  beforeAll(async () => {
    platform = await LocalPlatform.start();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(90_000);
    opener = join(platform.gatehouse.home, 'opener');
    opened = join(platform.gatehouse.home, 'opened');
    writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > ${opened}.new && mv ${opened}.new ${opened}\n`);
    chmodSync(opener, 0o700);
  });
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });

  const signIn = async (name: string): Promise<void> => {
    await page.getByLabel('Name or e-mail').fill(name);
    await page.getByLabel('Password').fill(platform.password(name));
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const openedAddress = async (): Promise<string> => {
    while (!existsSync(opened)) await new Promise((wake) => setTimeout(wake, 50));
    return readFileSync(opened, 'utf8').trim();
  };

  it('opens the browser at the provider and ends at a page of success', async () => {
    const env = { GATEHOUSE_SESSION_STORE: 'file', BROWSER: opener };
    const running = platform.gatehouse.begin(['login'], env);
    const address = await openedAddress();
    expect(address.split('\n')).toHaveLength(1);
    expect([...new URL(address).searchParams.keys()].sort()).toEqual(
      [
        ...['client_id', 'code_challenge', 'code_challenge_method', 'nonce', 'redirect_uri'],
        ...['resource', 'response_type', 'scope', 'state'],
      ].sort(),
    );
    await page.goto(address);
    await signIn('alice');
    await page.getByRole('heading', { name: 'Signed in' }).waitFor();
    await page.screenshot({ path: resolve(SHOTS, 'login-signed-in.png') });
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    expect(await running.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('as alice') });
  });

  it('needs no password while the browser is signed in, except with --prompt login', async () => {
    const env = { GATEHOUSE_SESSION_STORE: 'file' };
    const silent = platform.gatehouse.begin(['login', '--no-browser'], env);
    await page.goto(await addressIn(silent));
    await page.getByRole('heading', { name: 'Signed in' }).waitFor();
    expect((await silent.ended).stderr).toContain('as alice');
    const prompted = platform.gatehouse.begin(['login', '--no-browser', '--prompt', 'login'], env);
    await page.goto(await addressIn(prompted));
    await signIn('bob');
    await page.getByRole('heading', { name: 'Signed in' }).waitFor();
    expect((await prompted.ended).stderr).toContain('as bob');
  });

  it('ends at a page of failure when the user cancels', async () => {
    const running = platform.gatehouse.begin(['login', '--no-browser', '--prompt', 'login']);
    await page.goto(await addressIn(running));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor();
    await page.screenshot({ path: resolve(SHOTS, 'login-not-signed-in.png') });
    expect((await running.ended).code).toBe(5);
  });

  it('reads the code of a device from its address', async () => {
    const running = platform.gatehouse.begin(['login', '--device'], { GATEHOUSE_SESSION_STORE: 'file' });
    await page.goto(await addressIn(running, /^With the code in it: (http\S+)$/m));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('You can close this page').waitFor();
    await page.screenshot({ path: resolve(SHOTS, 'login-device.png') });
    expect((await running.ended).code).toBe(0);
  });
});
