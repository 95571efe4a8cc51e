import { describe, expect, it } from '@jest/globals';
import { startProcess } from '@gatehouse/testing/process';
import type { TestProcess } from '@gatehouse/testing/process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = resolve(import.meta.dirname, 'sample.mjs');
const env = {
  AUDIENCE: 'gatehouse',
  ISSUERS: '[{"id":"local","issuer":"https://id.example.test"}]',
  CURSOR_KEY: 'k'.repeat(32),
  SLOW_MS: '300',
};

const run = (extra: Record<string, string> = {}) =>
  startProcess({ command: [process.execPath, PROGRAM], env: { ...env, ...extra } });

/** The first log line with this message. */
async function waitForLine(service: TestProcess, message: string): Promise<Record<string, unknown>> {
  for (;;) {
    const found = service.logLines().find((one) => one['message'] === message);
    if (found) return found;
    await sleep(20);
  }
}

describe('the process of a service', () => {
  it('answers the requests in flight after SIGTERM and exits with 0', async () => {
    await using service = await run();
    const { slow, url } = await waitForLine(service, 'listening');
    const response = fetch(String(slow));
    await waitForLine(service, 'begun');
    service.signal('SIGTERM');
    await waitForLine(service, 'shutting down');
    expect((await fetch(`${String(url)}/readyz`)).status).toBe(503);
    expect(await (await response).json()).toEqual({ done: true });
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('exits with 0 after SIGTERM during the start', async () => {
    await using service = await run({ HANG: '1' });
    await waitForLine(service, 'hanging');
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('prints all problems of its settings without a stack and exits with 1', async () => {
    await using service = await run({ AUDIENCE: '', PORT: 'x', CURSOR_KEY_FILE: '/nowhere' });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.stderr()).toBe(
      [
        'The configuration cannot be used:',
        '  CURSOR_KEY: set CURSOR_KEY or CURSOR_KEY_FILE, not both',
        '  PORT: must be a port number',
        '  AUDIENCE: is required',
        '',
      ].join('\n'),
    );
  });

  it('prints the occupied port without a stack trace and exits with 1', async () => {
    await using service = await run();
    const { port } = new URL(String((await waitForLine(service, 'listening'))['url']));
    await using second = await run({ PORT: port });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toBe(
      `The configuration cannot be used:\n  PORT: another process uses port ${port} of 127.0.0.1; stop it or choose another port\n`,
    );
  });
});
