// node tools/bench/snapshot.mjs [seconds] [connections] [rounds] [--check] The snapshot of a
// gateway with 500 available connectors, each granted to ten groups, by one enterprise manager
// (built; own process on one core, a real Postgres of its own). How long the first answer takes
// after a change, which builds it, and a later one, which is kept; then how many 304 a second are
// answered to gateways that have it, beside a bare Fastify route in a process of its own that
// compares the same ETag, in turns in one run; the driver runs on another core. `--check` fails
// when building takes more than 200 ms (median), when a core could give fewer than 5,000 304 a
// second by CPU time, and when fewer were given by the clock in the rounds in which the core was
// the service's own. Linux only.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import fastify from 'fastify';
import pg from 'pg';
import { startServer } from './server.mjs';
import { busySeconds, cpuSeconds, median, tie } from './core-share.mjs';
import { onDatabase, startIssuer, startManager } from './real-manager.mjs';

const [BUILD_LIMIT_MS, RATE_LIMIT, CONNECTORS, GROUPS] = [200, 5_000, 500, 10];
/** A round counts by the clock when others had at most this share of the core. */
const QUIET = 0.1;
const [SERVICE_CORE, DRIVER_CORE] = [0, 1];
const PATH = '/gateway/v1/gateways/local/snapshot';

if (process.argv[2] === 'bare') await serveBare(process.argv[3]);
else await measure();

/** The measure of comparison: a header is read and compared. */
async function serveBare(etag) {
  const server = fastify();
  server.get(PATH, (request, reply) => reply.code(request.headers['if-none-match'] === etag ? 304 : 500).send());
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
}

async function measure() {
  const numbers = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const [seconds = 4, connections = 32, rounds = 3] = numbers.map(Number);
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  spawnSync('chmod', ['755', home]);
  const postgres = await startServer(join(home, 'postgres'));
  const issuer = await startIssuer();
  const children = [];
  let database;
  try {
    const { url, ownerUrl } = await postgres.database('enterprise_manager');
    const manager = await startManager(issuer, {
      ...onDatabase({ url, ownerUrl }),
    });
    children.push(manager.child);
    database = new pg.Client({ connectionString: ownerUrl });
    await database.connect();
    await fill(database);
    const headers = { authorization: `Bearer ${await issuer.token('gateway', ['gateway'])}` };
    tie(manager.child.pid, [SERVICE_CORE]);
    tie(process.pid, [DRIVER_CORE]);

    const read = async () => {
      const begun = performance.now();
      const answer = await fetch(`${manager.url}${PATH}`, { headers });
      const text = await answer.text();
      const { connectors, policies } = JSON.parse(text);
      if (connectors.length !== CONNECTORS || policies.length !== CONNECTORS) throw new Error('not all connectors');
      return { ms: performance.now() - begun, etag: answer.headers.get('etag'), bytes: text.length };
    };
    const [built, kept] = [[], []];
    for (let n = 0; n < 25; n += 1) {
      await database.query('UPDATE connectors SET description = $1 WHERE slug = $2', [`changed ${n}`, 'server-1']);
      const [first, again] = [await read(), await read()];
      if (n >= 5) (built.push(first.ms), kept.push(again.ms));
    }
    const { etag, bytes } = await read();

    const bare = spawn(process.execPath, [fileURLToPath(import.meta.url), 'bare', etag], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(bare);
    const targets = {
      'bare Fastify': { pid: bare.pid, url: await firstLine(bare) },
      'snapshot, 304': { pid: manager.child.pid, url: manager.url },
    };
    tie(bare.pid, [SERVICE_CORE]);
    const results = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, { pid, url: base }] of Object.entries(targets)) {
        const [before, busyBefore, begunAt] = [cpuSeconds(pid), busySeconds([SERVICE_CORE]), performance.now()];
        const result = await autocannon({
          url: `${base}${PATH}`,
          headers: { ...headers, 'if-none-match': etag },
          connections,
          duration: round === 0 ? 2 : seconds,
        });
        if (result.errors > 0 || result['3xx'] !== result.requests.total)
          throw new Error(`${name}: ${result['3xx']} of ${result.requests.total} were 304, ${result.errors} failed`);
        const used = cpuSeconds(pid) - before;
        const passed = (performance.now() - begunAt) / 1_000;
        const others = Math.max(0, (busySeconds([SERVICE_CORE]) - busyBefore - used) / passed);
        const micros = (used / result.requests.total) * 1e6;
        if (round > 0) results[name].push({ rate: result.requests.average, p99: result.latency.p99, micros, others });
      }
    }
    console.log(
      `| Snapshot of ${CONNECTORS} connectors, ${bytes} bytes | median ms | slowest ms |\n| --- | ---: | ---: |`,
    );
    console.log(`| built after a change | ${median(built).toFixed(1)} | ${Math.max(...built).toFixed(1)} |`);
    console.log(`| kept | ${median(kept).toFixed(1)} | ${Math.max(...kept).toFixed(1)} |\n`);
    console.log('| 304 | requests/s | ratio to bare | p99 ms | CPU µs a call | a core could do | others on the core |');
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
    const middle = (name, field) => median(results[name].map((one) => one[field]));
    for (const name of Object.keys(results)) {
      const [rate, micros] = [middle(name, 'rate'), middle(name, 'micros')];
      const ratio = (rate / middle('bare Fastify', 'rate')).toFixed(2);
      const others = `${Math.round(100 * middle(name, 'others'))} %`;
      const cells = [name, Math.round(rate), ratio, middle(name, 'p99'), Math.round(micros), Math.round(1e6 / micros)];
      console.log(`| ${[...cells, others].join(' | ')} |`);
    }
    if (process.argv.includes('--check')) check(median(built), results['snapshot, 304']);
  } finally {
    await database?.end();
    for (const child of children) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    issuer.close();
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Fails the run when the snapshot is built, or 304 are answered, too slowly. */
function check(buildMs, rounds) {
  const fail = (sentence) => {
    console.error(sentence);
    process.exitCode = 1;
  };
  if (buildMs > BUILD_LIMIT_MS) fail(`${buildMs.toFixed(1)} ms to build: above the limit of ${BUILD_LIMIT_MS} ms`);
  const judge = (how, rate) => {
    if (rate < RATE_LIMIT) fail(`${Math.round(rate)}/s ${how}: below the limit of ${RATE_LIMIT} a second on one core`);
  };
  judge('by CPU time', 1e6 / median(rounds.map(({ micros }) => micros)));
  const quiet = rounds.filter(({ others }) => others <= QUIET);
  if (quiet.length > 0) judge('by the clock', median(quiet.map(({ rate }) => rate)));
  console.log(`${quiet.length} of ${rounds.length} rounds had the core to themselves and were judged by the clock too`);
}

/** Connectors that are available, each granted to groups. */
async function fill(database) {
  await database.query(
    `INSERT INTO groups (id, name, display_name, display_name_key, description, source, search_key, created_at, updated_at)
     SELECT gen_random_uuid(), 'g' || n, 'g' || n, 'g' || n, '', 'local', 'g' || n, now(), now() FROM generate_series(1, 100) AS n`,
  );
  await database.query(
    `INSERT INTO connectors (id, gateway_id, slug, name, name_key, endpoint, transport, auth, allow_private_ips, deployment_mode, origin, description,
       status, revision, created_at, updated_at)
     SELECT gen_random_uuid(), 'local', 'server-' || n, 'Server ' || n, 'server ' || n, 'https://mcp-' || n || '.example/mcp', 'streamable-http',
       '{"type":"none"}', FALSE, 'proxy_remote', 'manual', 'What server ' || n || ' is for', 'available', 1, now() + n * interval '1 ms', now()
     FROM generate_series(1, $1) AS n`,
    [CONNECTORS],
  );
  await database.query(
    `INSERT INTO connector_policies (connector_id, mode, version, updated_at) SELECT id, 'structured', 1, now() FROM connectors`,
  );
  await database.query(
    `INSERT INTO connector_policy_grants (connector_id, group_id)
     SELECT c.id, g.id FROM connectors c CROSS JOIN LATERAL (SELECT id FROM groups WHERE c.id IS NOT NULL ORDER BY random() LIMIT $1) g`,
    [GROUPS],
  );
  await database.query('ANALYZE');
}

/** The first line that a process prints. */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).split('\n')[0]));
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
}
