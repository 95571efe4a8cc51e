import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen, unavailable } from '@gatehouse/testing/fixture';
import type { Fixture } from '@gatehouse/testing/fixture';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { service } from './things.ts';

/** A picture of the page, for a look at it. */
const PICTURE = resolve(import.meta.dirname, '../dist-test/reference.png');
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function findChromium(): Fixture<string> {
  const value = PROGRAMS.find((path) => existsSync(path));
  return value ? { available: true, value } : unavailable('there is no Chromium: apt-get install chromium');
}

describeWhen(findChromium(), 'the reference in a browser', (executablePath) => {
  let browser: Browser;
  beforeAll(async () => {
    // Under a public name, where the page's library would ask its maker's server whether the document is valid.
    const rules = '--host-resolver-rules=MAP gatehouse.example.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', rules] });
  });
  afterAll(() => browser.close());

  it('shows every operation, complains of nothing and asks nobody else', async () => {
    const origin = `http://gatehouse.example.test:${new URL(service.url).port}`;
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const complaints: string[] = [];
    const asked = new Set<string>();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => asked.add(request.url()));
    await page.goto(`${origin}/api/doc`);
    await page.getByText('Create thing').waitFor();
    for (const text of ['Things <service>', 'For tests', 'List things', 'Health check', 'Authorize'])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    await page.getByText('Create thing').click();
    await page.getByText('Request body', { exact: false }).first().waitFor();
    await page.screenshot({ path: PICTURE });
    expect(complaints).toEqual([]);
    expect([...asked].filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
  });
});
