// Usage: npm run check
// Runs every check, also after a failure, so that one run reports all problems. Lint takes the
// longest: the checks beside it use one core and neither Nx nor the built files.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const BESIDE_LINT = new Set(['check:format', 'check:imports', 'check:dead-code']);

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));

async function run(name) {
  const started = performance.now();
  const check = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [check.stdout, check.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [status] = await new Promise((resolve) => check.once('close', (...exit) => resolve(exit)));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) process.stderr.write(Buffer.concat(output));
  console.error(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  return status === 0;
}

async function runInOrder(names) {
  const results = [];
  for (const name of names) results.push(await run(name));
  return results;
}

const first = await Promise.all([
  runInOrder(['check:lint']),
  runInOrder(checks.filter((name) => BESIDE_LINT.has(name))),
]);
const second = await runInOrder(checks.filter((name) => name !== 'check:lint' && !BESIDE_LINT.has(name)));
process.exitCode = [...first.flat(), ...second].every(Boolean) ? 0 : 1;
