// Usage: npm run check
// Runs every check, also after a failure, so that one run reports all problems.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));

const results = checks.map((name) => {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', name], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) console.error(`${stdout}${stderr}`);
  console.error(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  return status === 0;
});
process.exitCode = results.every(Boolean) ? 0 : 1;
