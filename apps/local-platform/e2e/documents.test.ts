import { describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandsAfter, DocumentShell, stepsOf } from '@gatehouse/testing/document';
import { type RunningPlatform, startPlatform, until } from './platform.ts';

jest.setTimeout(180_000);

const ROOT = resolve(import.meta.dirname, '../../..');

const restart = async (platform: RunningPlatform): Promise<RunningPlatform> => {
  await platform.stop();
  return startPlatform({ home: platform.home, offset: platform.offset });
};

const call = async (platform: RunningPlatform, method: string, path: string, body?: object) => {
  const response = await fetch(`${platform.json.urls.enterprise_manager}${path}`, {
    method,
    headers: { authorization: `Bearer ${await platform.token('admin')}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('docs/key-encryption-key.md', () => {
  it('rotates the key, after which every stored value can still be decrypted', async () => {
    let platform = await startPlatform();
    const keys = join(platform.home, 'secrets', 'enterprise-manager.key-encryption-keys');
    const shell = new DocumentShell(ROOT, { GATEHOUSE_HOME: platform.home });
    const versions = async () =>
      (await call(platform, 'GET', '/v1/key-encryption')).body['versions'] as { version: number; values: number }[];
    try {
      const [before] = await versions();
      expect(before?.version).toBe(1);
      expect(before?.values).toBeGreaterThan(0);
      let isWaitStep = false;
      for (const step of stepsOf('key-encryption-key.md')) {
        if ('mark' in step) {
          if (step.mark === 'restart') platform = await restart(platform);
          isWaitStep = step.mark === 'wait';
        } else if (isWaitStep) {
          await until('no value uses version 1', async () => /^ *1 +\S+ +0 *$/m.test(await shell.run(step.commands)));
          isWaitStep = false;
        } else {
          await shell.run(step.commands);
        }
      }
      expect(readFileSync(keys, 'utf8')).toMatch(/^2:[^\n]+\n$/);
      expect(await versions()).toEqual([{ version: 2, state: 'current', values: before?.values }]);
      await platform.ready();
    } finally {
      await shell.close();
      await platform.remove();
    }
  });
});

describe('docs/backup-and-restore.md', () => {
  it('restores the home of a local platform', async () => {
    let platform = await startPlatform();
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
    const shell = new DocumentShell(folder, { GATEHOUSE_HOME: platform.home });
    const groups = async () => {
      const { body } = await call(platform, 'GET', '/v1/groups');
      return (body['items'] as { display_name: string }[]).map(({ display_name }) => display_name);
    };
    try {
      await call(platform, 'POST', '/v1/groups', { display_name: 'Before' });
      const password = platform.password('alice');
      await platform.stop();
      await shell.run(commandsAfter('backup-and-restore.md', 'copy the home'));
      platform = await startPlatform({ home: platform.home, offset: platform.offset });
      await call(platform, 'POST', '/v1/groups', { display_name: 'After' });
      await platform.stop();
      await shell.run(commandsAfter('backup-and-restore.md', 'restore the home'));
      platform = await startPlatform({ home: platform.home, offset: platform.offset });
      expect(await groups()).toEqual(['Before']);
      expect(platform.password('alice')).toBe(password);
      await platform.ready();
    } finally {
      await shell.close();
      rmSync(folder, { recursive: true });
      rmSync(`${platform.home}.before-restore`, { recursive: true, force: true });
      await platform.remove();
    }
  });
});
