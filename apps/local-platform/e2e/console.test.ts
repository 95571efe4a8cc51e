import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { findChromium } from '@gatehouse/testing/chromium';
import { describeWhen } from '@gatehouse/testing/fixture';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type RunningPlatform, startPlatform, until } from './platform.ts';

jest.setTimeout(120_000);

/** Folder of the screenshots. */
const SHOTS = resolve(import.meta.dirname, '../dist-test');

describeWhen(findChromium(), 'the console in a browser', (executablePath) => {
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    platform = await startPlatform();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.setDefaultTimeout(90_000);
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
  });
  afterAll(async () => {
    await browser.close();
    await platform.remove();
  });

  const readState = (service: string) => page.locator(`[data-service="${service}"]`).getAttribute('data-state');

  it('shows the services as ready before the sign-in', async () => {
    await page.goto(platform.json.urls.console);
    await page.locator('[data-service="enterprise-manager"]').waitFor();
    for (const service of [
      'enterprise-manager',
      'connector-gateway',
      'ai-gateway-mgmt',
      'ai-gateway',
      'identity-provider',
    ]) {
      expect([service, await readState(service)]).toEqual([service, 'ready']);
    }
    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true);
    await page.screenshot({ path: resolve(SHOTS, 'console-signed-out.png') });
  });

  it('refuses a wrong password, then signs in and shows the user', async () => {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Name or e-mail').fill('alice');
    await page.getByLabel('Password').fill('wrong');
    await page.screenshot({ path: resolve(SHOTS, 'sign-in.png') });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(platform.password('alice'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('alice@example.test').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.screenshot({ path: resolve(SHOTS, 'console-signed-in.png') });
  });

  it('stores no token that another script or tab could read later', async () => {
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).not.toContain('eyJ');
  });

  it('is still signed in after a reload', async () => {
    await page.reload();
    await page.getByText('alice@example.test').waitFor();
  });

  it('shows when a service is down and when it is ready again', async () => {
    const { 'ai-gateway': pid } = platform.pids();
    process.kill(pid!, 'SIGSTOP');
    await until('the console shows the AI gateway as down', async () => (await readState('ai-gateway')) === 'down');
    await page.screenshot({ path: resolve(SHOTS, 'console-one-down.png') });
    process.kill(pid!, 'SIGCONT');
    await until('the console shows the AI gateway as ready', async () => (await readState('ai-gateway')) === 'ready');
  });

  it('signs out in the console and at the provider', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Password').waitFor();
  });

  it('signs out when the session at the provider has ended already', async () => {
    await page.getByLabel('Name or e-mail').fill('alice');
    await page.getByLabel('Password').fill(platform.password('alice'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('alice@example.test').waitFor();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${platform.json.urls.console}/`);
  });

  it('violates no rule of its content security policy', () => {
    expect(errors.filter((text) => /content security policy|refused to/i.test(text))).toEqual([]);
  });

  it('answers no other origin and no other host name', async () => {
    for (const path of ['/', '/api/services', '/api/config', '/api/me']) {
      const response = await fetch(`${platform.json.urls.console}${path}`, {
        headers: { origin: 'https://evil.test' },
      });
      await response.text();
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});
