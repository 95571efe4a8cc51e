import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stop } from '../child-process.mjs';

/** The core of the measured process. Everything else runs on the other one. */
export const [MEASURED_CORE, OTHER_CORE] = [0, 1];
const START_DEADLINE_MS = 60_000;

/**
 * Starts a program on the measured core. Its log goes to a file, so that no other process reads it.
 * @param isReady `(log) => result`: polled until it returns a value; the default waits for `port`
 * @returns the process and the value
 * @throws {Error} with the end of the log when the program ends or is not ready within a minute
 */
export async function startMeasured(command, args, { env, logFile, port, isReady = () => isListening(port) }) {
  const log = openSync(logFile, 'w');
  const child = spawn('taskset', ['-c', String(MEASURED_CORE), command, ...args], {
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, ...env },
  });
  closeSync(log);
  const deadline = Date.now() + START_DEADLINE_MS;
  while (child.exitCode === null && Date.now() < deadline) {
    const ready = await isReady(readFileSync(logFile, 'utf8'));
    if (ready) return { child, ready };
    await sleep(50);
  }
  await stop(child);
  throw new Error(`${command} did not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`);
}

/** Returns a free port of the loopback interface. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isListening(port) {
  const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  await response?.arrayBuffer();
  return response !== undefined;
}
