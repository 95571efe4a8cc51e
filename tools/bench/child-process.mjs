import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Returns the first line that a process prints. @throws {Error} when the process ends before it */
export function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]);
    });
    child.once('exit', (code) => reject(new Error(`the process ended with ${code} before its first line`)));
  });
}

/**
 * Starts a built service on ports that the system chooses.
 * @param args of Node: options, and the path of the service
 * @returns the process and the address of the service, when it listens
 */
export async function startService(args, env) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, PORT: '0', METRICS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text = text === null ? null : text + chunk));
  for (;;) {
    const line = text.split('\n').find((one) => one.includes('"listening"'));
    if (line) {
      text = null;
      return { url: JSON.parse(line).url, child, end: () => stop(child) };
    }
    if (child.exitCode !== null) throw new Error(`the service ${args.at(-1)} ended: ${text}`);
    await sleep(50);
  }
}

/** Ends a process and waits for its exit. */
export async function stop(child) {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/**
 * Starts a benchmark file with the argument `bare`: the server of the comparison, in its own
 * process, which prints its URL.
 */
export async function startBare(moduleUrl, ...args) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [fileURLToPath(moduleUrl), 'bare', ...args], { stdio });
  return { child, url: await firstLine(child) };
}
