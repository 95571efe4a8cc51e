import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { runAtEnd, waitUntil } from './harness.ts';

/** The program of the official server that has everything. */
export const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** Returns a free port. */
export async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts the server on a port. @returns what ends it */
export async function startEverything(
  transport: 'streamable-http' | 'sse',
  port: number,
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [everything, transport === 'sse' ? transport : 'streamableHttp'], {
    env: { PORT: String(port), PATH: '' },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  runAtEnd(stop);
  const up = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await waitUntil(up, (isUp) => isUp);
  return stop;
}
