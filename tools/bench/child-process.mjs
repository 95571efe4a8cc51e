import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
