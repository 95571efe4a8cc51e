#!/usr/bin/env -S node --
// Entry of the command line. `--` prevents Node from reading `--env-file` from the arguments of a command. This file runs on Node 18 and newer, and
// starts the commands with the installed Node when this one is too old.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const NEEDED = 24;

/** Returns the Node that was installed with gatehouse: the nearest node_modules/.bin/node above this file. */
function ownNode() {
  for (let folder = root; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Runs this command with another Node and exits with its exit code. */
async function runOn(node) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, ['--', ...process.argv.slice(1)], { stdio: 'inherit' });
  // A terminal signals both processes. Signals of other processes are forwarded.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`gatehouse cannot start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  // This is fast, because nothing is imported before.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  console.log(`gatehouse ${version}`);
} else if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  const node = ownNode();
  if (node === undefined || process.env.GATEHOUSE_OWN_NODE === '1') {
    console.error(
      `gatehouse needs Node ${NEEDED} or newer; this is ${process.version}. Try: npm ci, or npm rebuild node`,
    );
    process.exit(1);
  }
  process.env.GATEHOUSE_OWN_NODE = '1';
  await runOn(node);
} else if (!existsSync(join(root, 'dist', 'bundle', 'main.js'))) {
  console.error('gatehouse is not built yet. Try: npm run build');
  process.exit(1);
} else {
  const { main } = await import('../dist/bundle/main.js');
  await main(root, process.argv.slice(2));
}
