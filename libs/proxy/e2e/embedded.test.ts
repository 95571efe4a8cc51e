/** The example of a program that has a proxy in it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { RawClient, runAtEnd } from './harness.ts';

it('examples/command-proxy.mjs serves a command over HTTP, and ends it with itself', async () => {
  const [example, server] = ['../examples/command-proxy.mjs', './scripted-server.mjs'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const command = [example!, process.execPath, server!];
  const env = { PORT: '0' };
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  runAtEnd(() => Promise.resolve(child.kill('SIGKILL')));
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const client = await RawClient.open(url);
  expect(await client.callTool('echo', { message: 'embedded' })).toBe('embedded');
  const { pid } = JSON.parse(await client.callTool('identity')) as { pid: number };
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
