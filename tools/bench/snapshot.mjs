// Usage: node tools/bench/snapshot.mjs [seconds] [connections] [rounds] [--check]
// Method and limits: docs/benchmarks.md#snapshot-of-a-gateway. Linux only.
import fastify from 'fastify';
import { startBare, stop } from './child-process.mjs';
import { checkLoad, loadInTurns, printLoads } from './core-load.mjs';
import { bindToCores } from './core-share.mjs';
import { connect, withManagers } from './real-manager.mjs';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const [BUILD_LIMIT_MS, RATE_LIMIT, CONNECTORS, GROUPS] = [200, 5_000, 500, 10];
const [SERVICE_CORE, DRIVER_CORE] = [0, 1];
const PATH = '/gateway/v1/gateways/local/snapshot';
const [BARE, SNAPSHOT] = ['bare Fastify', 'snapshot, 304'];

if (process.argv[2] === 'bare') await serveBare(process.argv[3]);
else await withManagers({}, measure);

/** Serves the comparison: it reads and compares one header. */
async function serveBare(etag) {
  const server = fastify();
  server.get(PATH, (request, reply) => reply.code(request.headers['if-none-match'] === etag ? 304 : 500).send());
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
}

async function measure({ issuer, managers: [manager], ownerUrl }) {
  const numbers = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const [seconds = 4, connections = 32, rounds = 3] = numbers.map(Number);
  const database = await connect(ownerUrl);
  await fill(database);
  const headers = { authorization: `Bearer ${await issuer.token('gateway', ['gateway'])}` };
  bindToCores(manager.child.pid, [SERVICE_CORE]);
  bindToCores(process.pid, [DRIVER_CORE]);
  const { built, cached, etag, bytes } = await measureBuilds(database, () => read(manager.url, headers));
  await database.end();

  const bare = await startBare(import.meta.url, etag);
  bindToCores(bare.child.pid, [SERVICE_CORE]);
  const target = ({ child, url }) => ({
    pid: child.pid,
    url: `${url}${PATH}`,
    headers: { ...headers, 'if-none-match': etag },
    connections,
    isExpected: (result) => result['3xx'] === result.requests.total,
  });
  const targets = { [BARE]: target(bare), [SNAPSHOT]: target(manager) };
  const results = await loadInTurns(targets, { core: SERVICE_CORE, rounds, seconds }).finally(() => stop(bare.child));
  const times = ([name, list]) => [name, median(list).toFixed(1), Math.max(...list).toFixed(1)];
  printTable(
    [`Snapshot of ${CONNECTORS} connectors, ${bytes} bytes`, 'median ms', 'slowest ms'],
    Object.entries({ 'built after a change': built, cached }).map(times),
  );
  console.log();
  printLoads('304', results, BARE);
  if (process.argv.includes('--check')) check(median(built), results[SNAPSHOT]);
}

/** Reads the snapshot twice after each change: the first read builds it, the second is cached. */
async function measureBuilds(database, readSnapshot) {
  const [built, cached] = [[], []];
  for (let n = 0; n < 25; n += 1) {
    await database.query('UPDATE connectors SET description = $1 WHERE slug = $2', [`changed ${n}`, 'server-1']);
    const [first, second] = [await readSnapshot(), await readSnapshot()];
    if (n >= 5) (built.push(first.ms), cached.push(second.ms));
  }
  return { built, cached, ...(await readSnapshot()) };
}

async function read(url, headers) {
  const begun = performance.now();
  const response = await fetch(`${url}${PATH}`, { headers });
  const text = await response.text();
  const { connectors, policies } = JSON.parse(text);
  if (connectors.length !== CONNECTORS || policies.length !== CONNECTORS) throw new Error('connectors are missing');
  return { ms: performance.now() - begun, etag: response.headers.get('etag'), bytes: text.length };
}

function check(buildMs, rounds) {
  if (buildMs > BUILD_LIMIT_MS) {
    console.error(`${buildMs.toFixed(1)} ms to build, above the limit of ${BUILD_LIMIT_MS} ms`);
    process.exitCode = 1;
  }
  checkLoad(SNAPSHOT, rounds, RATE_LIMIT, 'responses');
}

/** Creates available connectors, each granted to groups. */
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
