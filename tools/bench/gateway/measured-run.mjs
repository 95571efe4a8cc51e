import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { URL } from 'node:url';
import { stop } from '../child-process.mjs';
import { bindToCores } from '../core-share.mjs';
import { connect, openHome } from '../real-manager.mjs';
import { freePort, OTHER_CORE, startMeasured } from './measured-process.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Begins a benchmark of one measured process: everything else that starts from here runs on the
 * other core. A stopped benchmark also stops its processes.
 * @returns its folder; `onEnd`, which takes functions that end what was started, in the order of
 * the start; and `end`, which ends everything once
 */
export function beginRun() {
  const home = openHome();
  const endings = [() => rmSync(home, { recursive: true, force: true })];
  let ending;
  const end = () =>
    (ending ??= (async () => {
      for (const one of endings.reverse()) await one();
    })());
  bindToCores(process.pid, [OTHER_CORE]);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().finally(() => process.exit(1)));
  return { home, onEnd: (one) => endings.push(one), end };
}

/** Starts a bare node:http pipe to a port. @returns its port and process */
export async function startPipe({ home, onEnd }, upstream) {
  const port = await freePort();
  const args = [join(import.meta.dirname, '../proxy/http-pipe.mjs'), String(port), String(upstream)];
  const { child } = await startMeasured(process.execPath, args, { env: {}, logFile: join(home, `pipe-${port}`), port });
  onEnd(() => stop(child));
  return { port, child };
}

/**
 * Starts the built service of an app as in its image, and waits until it is ready.
 * @param profile folder of its CPU profile
 * @param findUrl finds the measured URL in the log entry `listening`
 * @returns the port of this URL, and the process
 */
export async function startMeasuredService(app, { home, env, profile, findUrl }) {
  const folder = join(ROOT, 'apps', app);
  const isReady = async (log) => {
    const line = log.split('\n').find((one) => one.includes('"listening"'));
    if (line === undefined) return undefined;
    const entry = JSON.parse(line);
    return (await fetch(`${entry.url}/readyz`)).ok && { port: Number(new URL(findUrl(entry)).port) };
  };
  const args = [
    ...readNodeFlags(folder),
    ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    join(folder, 'dist/bundle/main.js'),
  ];
  const options = { env: { ...env, MALLOC_ARENA_MAX: '1' }, logFile: join(home, `${app}.log`), isReady };
  const { child, ready } = await startMeasured(process.execPath, args, options);
  return { child, port: ready.port };
}

/** The options of Node in the image of an app. */
function readNodeFlags(folder) {
  const file = join(folder, 'node-flags');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
}

/** Counts the rows of a table in a database of a server, as its administrator. */
export async function countRows({ adminUrl }, databaseUrl, table) {
  const url = new URL(adminUrl);
  url.pathname = new URL(databaseUrl).pathname;
  const database = await connect(url.href);
  const { rows } = await database.query(`SELECT count(*) FROM ${table}`);
  await database.end();
  return Number(rows[0].count);
}
