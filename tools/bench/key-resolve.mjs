// node tools/bench/key-resolve.mjs [seconds] [connections] [rounds] [--check] Resolutions of
// virtual API keys a second by one enterprise manager (built; own process on one core, its own
// Postgres, request log on), beside a bare Fastify route in a process of its own that takes the
// same request and sends the same answer, in turns in one run; the driver runs on another core.
// Remembered: 1,000 keys in turns. Looked up: another invented secret with each request, none of
// which opens anything. A second of a busy machine is not a second of a core, so two things are
// measured beside the rate: the CPU time of the service, and how much of its core others took.
// `--check` fails when a core could do fewer than 5,000/s by CPU time, and when fewer were done by
// the clock in the rounds in which the core was the service's own. Linux only.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import fastify from 'fastify';
import { busySeconds, cpuSeconds, median, tie } from './core-share.mjs';
import { startIssuer, startManager } from './real-manager.mjs';

const LIMIT = 5_000;
/** A round counts by the clock when others had at most this share of the core. */
const QUIET = 0.1;
const [SERVICE_CORE, DRIVER_CORE] = [0, 1];
const [PEOPLE, KEYS_EACH] = [20, 50];

if (process.argv[2] === 'bare') await serveBare(process.argv[3]);
else await measure();

/** The measure of comparison: the body is read, and the answer is the same bytes each time. */
async function serveBare(answer) {
  const server = fastify();
  server.post('/gateway/v1/keys/resolve', (request, reply) =>
    reply
      .code(request.body.secret_sha256 ? 200 : 400)
      .type('application/json')
      .send(answer),
  );
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
}

async function measure() {
  const numbers = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const [seconds = 5, connections = 32, rounds = 3] = numbers.map(Number);
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  chmodSync(home, 0o755);
  const issuer = await startIssuer();
  const children = [];
  try {
    const manager = await startManager(issuer, {
      HOME: process.env.HOME,
      GATEHOUSE_HOME: home,
      SEED_USERS: JSON.stringify(peopleOf(issuer)),
    });
    children.push(manager.child);
    const token = await issuer.token('gateway', ['gateway']);
    const keys = await makeKeys(manager.url, issuer);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const path = '/gateway/v1/keys/resolve';
    const bodies = keys.map((secret) => JSON.stringify({ secret_sha256: sha256(secret) }));
    const first = await fetch(`${manager.url}${path}`, { method: 'POST', headers, body: bodies[0] });
    const answer = await first.text();
    if (first.status !== 200) throw new Error(`a key was not resolved: ${first.status} ${answer}`);
    const bare = spawn(process.execPath, [fileURLToPath(import.meta.url), 'bare', answer], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(bare);
    const bareUrl = await firstLine(bare);
    tie(manager.child.pid, [SERVICE_CORE]);
    tie(bare.pid, [SERVICE_CORE]);
    tie(process.pid, [DRIVER_CORE]);

    const inTurns = bodies.map((body) => ({ method: 'POST', path, body }));
    const invented = () => ({
      ...inTurns[0],
      body: JSON.stringify({ secret_sha256: randomBytes(32).toString('hex') }),
    });
    const targets = {
      'bare Fastify': { pid: bare.pid, url: bareUrl, requests: inTurns },
      remembered: { pid: manager.child.pid, url: manager.url, requests: inTurns },
      'looked up, opens nothing': {
        pid: manager.child.pid,
        url: manager.url,
        requests: [{ ...inTurns[0], setupRequest: (request) => ({ ...request, ...invented() }) }],
        refused: true,
      },
    };
    const results = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
    const load = loadavg()[0].toFixed(1);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, { pid, refused = false, ...target }] of Object.entries(targets)) {
        const [before, busyBefore, begunAt] = [cpuSeconds(pid), busySeconds([SERVICE_CORE]), performance.now()];
        const result = await autocannon({ ...target, headers, connections, duration: round === 0 ? 2 : seconds });
        if (result.errors > 0 || (refused ? result['2xx'] : result.non2xx) > 0 || (refused && result['5xx'] > 0))
          throw new Error(`${name}: ${result['2xx']} served, ${result.non2xx} refused, ${result.errors} failed`);
        const used = cpuSeconds(pid) - before;
        const passed = (performance.now() - begunAt) / 1_000;
        const others = Math.max(0, (busySeconds([SERVICE_CORE]) - busyBefore - used) / passed);
        const micros = (used / result.requests.total) * 1e6;
        if (round > 0) results[name].push({ rate: result.requests.average, p99: result.latency.p99, micros, others });
      }
    }
    const middle = (name, field) => median(results[name].map((one) => one[field]));
    console.log(`load average before ${load}, ${connections} connections, ${keys.length} keys`);
    console.log(
      '| Resolve | requests/s | ratio to bare | p99 ms | CPU µs a call | a core could do | others on the core |',
    );
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
    for (const name of Object.keys(results)) {
      const rate = middle(name, 'rate');
      const micros = middle(name, 'micros');
      const ratio = (rate / middle('bare Fastify', 'rate')).toFixed(2);
      const others = `${Math.round(100 * middle(name, 'others'))} %`;
      const core = Math.round(1e6 / micros);
      const cells = [name, Math.round(rate), ratio, middle(name, 'p99'), Math.round(micros), core, others];
      console.log(`| ${cells.join(' | ')} |`);
    }
    if (process.argv.includes('--check')) check(results.remembered);
  } finally {
    for (const child of children) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    issuer.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Fails the run when keys are resolved too slowly. */
function check(rounds) {
  const fail = (how, rate) => {
    if (rate >= LIMIT) return;
    console.error(`${Math.round(rate)}/s ${how}: below the limit of ${LIMIT} resolutions a second on one core`);
    process.exitCode = 1;
  };
  fail('by CPU time', 1e6 / median(rounds.map(({ micros }) => micros)));
  const quiet = rounds.filter(({ others }) => others <= QUIET);
  if (quiet.length > 0) fail('by the clock', median(quiet.map(({ rate }) => rate)));
  console.log(`${quiet.length} of ${rounds.length} rounds had the core to themselves and were judged by the clock too`);
}

const peopleOf = (issuer) =>
  Array.from({ length: PEOPLE }, (_, n) => ({
    issuer: issuer.name,
    subject: `person-${n}`,
    user_name: `person-${n}`,
    display_name: `Person ${n}`,
  }));

/** Secrets of keys that people have made. */
async function makeKeys(url, issuer) {
  const secrets = [];
  for (let person = 0; person < PEOPLE; person += 1) {
    const authorization = `Bearer ${await issuer.token(`person-${person}`)}`;
    for (let n = 0; n < KEYS_EACH; n += 1) {
      const answer = await fetch(`${url}/v1/keys`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{}',
      });
      const { secret } = await answer.json();
      if (answer.status !== 201) throw new Error(`no key was made: ${answer.status}`);
      secrets.push(secret);
    }
  }
  return secrets;
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** The first line that a process prints. */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).split('\n')[0]));
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
}
