// node tools/bench/membership.mjs [seconds] [rounds] [--check] A directory of 50,000 people on a
// real Postgres. One of them is in 500 groups that nest 32 deep: how long the database takes to
// tell those groups, and how a gateway's question about that person (entitlements) compares with
// the same question about somebody in one group, in turns in one run. Then searches among the
// 50,000. With --check the run fails where transitive membership takes more than 5 ms or a search
// more than 50 ms (medians).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { startServer } from './server.mjs';
import { selectGroupsOfUser } from '../../apps/enterprise-manager/dist/people/group-sql.js';

const MEMBERSHIP_LIMIT_MS = 5;
const SEARCH_LIMIT_MS = 50;
const PEOPLE = 50_000;
const LEVELS = 32;
const GROUPS = 500;

const flags = process.argv.slice(2);
const [seconds = 3, rounds = 3] = flags.filter((flag) => !flag.startsWith('--')).map(Number);
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
spawn('chmod', ['755', home]);
const postgres = await startServer(join(home, 'postgres'));
const issuer = await startIssuer();
const manager = await startManager(await postgres.database('enterprise_manager'));
const database = new pg.Client({ connectionString: manager.ownerUrl });
await database.connect();
const people = await fill();

const rows = [];
const holding = `${selectGroupsOfUser('$1::uuid')} ORDER BY id`;
rows.push([
  'groups of a person in 500 nested groups (SQL)',
  ...(await timed(() => database.query({ name: 'holding', text: holding, values: [people.deep] }))),
]);
rows.push([
  'groups of a person in one group (SQL)',
  ...(await timed(() => database.query({ name: 'holding', text: holding, values: [people.flat] }))),
]);
const { rowCount } = await database.query(holding, [people.deep]);
if (rowCount !== GROUPS) throw new Error(`${rowCount} groups instead of ${GROUPS}`);

const rates = { one: [], nested: [] };
const gateway = { authorization: `Bearer ${await issuer.token('gateway')}` };
const admin = { authorization: `Bearer ${await issuer.token('admin')}` };
const entitlements = (id) => `${manager.url}/gateway/v1/gateways/local/entitlements/${id}`;
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, id] of [
    ['one', people.flat],
    ['nested', people.deep],
  ]) {
    const result = await autocannon({
      url: entitlements(id),
      headers: gateway,
      connections: 1,
      duration: round === 0 ? 1 : seconds,
    });
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`);
    if (round > 0) rates[name].push(result.requests.average);
  }
}
for (const [what, query] of [
  ['a name that nobody has', 'search=nobody-at-all'],
  ['a name that one has', 'search=PERSON%2049123'],
  ['a name that all have', 'search=person'],
  ['two letters', 'search=zz'],
  ['an address, exactly', 'email=person.31000%40bench.example'],
  ['the first page of 500 people of a group', undefined],
]) {
  const url =
    query === undefined
      ? `${manager.url}/v1/groups/${people.large}/members?limit=50`
      : `${manager.url}/v1/users?${query}`;
  rows.push([
    `${query === undefined ? what : `search for ${what}, 50,000 people`} (HTTP)`,
    ...(await timed(async () => {
      const answer = await fetch(url, { headers: admin });
      await answer.text();
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    }, 40)),
  ]);
}

console.log('| What | median ms | p95 ms |\n| --- | ---: | ---: |');
for (const [name, median, slow] of rows) console.log(`| ${name} | ${median.toFixed(2)} | ${slow.toFixed(2)} |`);
const [one, nested] = [middle(rates.one), middle(rates.nested)];
console.log('\n| Entitlements over HTTP, one connection | requests/s | ratio |\n| --- | ---: | ---: |');
console.log(
  `| in one group | ${Math.round(one)} | 1.00 |\n| in ${GROUPS} nested groups | ${Math.round(nested)} | ${(nested / one).toFixed(2)} |`,
);

await database.end();
manager.process.kill();
await once(manager.process, 'exit');
issuer.server.close();
await postgres.stop();
rmSync(home, { recursive: true, force: true });
if (flags.includes('--check')) {
  const late = rows.filter(([name, median]) => median > (name.includes('SQL') ? MEMBERSHIP_LIMIT_MS : SEARCH_LIMIT_MS));
  for (const [name, median] of late) console.error(`too slow: ${name} takes ${median.toFixed(2)} ms`);
  if (1000 / nested > MEMBERSHIP_LIMIT_MS)
    console.error(`too slow: entitlements take ${(1000 / nested).toFixed(2)} ms`);
  if (late.length > 0 || 1000 / nested > MEMBERSHIP_LIMIT_MS) process.exitCode = 1;
}

/**
 * The directory: levels of 16 groups, each group in two of the level above, the deep person in all
 * of the lowest level.
 */
async function fill() {
  await database.query(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, email, email_key, display_name, source, active, search_key, created_at, updated_at)
     SELECT gen_random_uuid(), 'https://bench.example', 's' || n, 'person.' || n, 'person.' || n, 'person.' || n || '@bench.example',
            'person.' || n || '@bench.example', 'Person ' || n, 'scim', TRUE,
            'person ' || n || E'\\nperson.' || n || E'\\nperson.' || n || '@bench.example', now() - n * interval '1 second', now()
     FROM generate_series(1, $1) AS n`,
    [PEOPLE],
  );
  await database.query(
    `INSERT INTO groups (id, name, display_name, display_name_key, description, source, search_key, created_at, updated_at)
     SELECT gen_random_uuid(), 'g' || n, 'g' || n, 'g' || n, '', 'local', 'g' || n, now() + n * interval '1 ms', now() FROM generate_series(0, $1) AS n`,
    [GROUPS],
  );
  const groups = (await database.query('SELECT id FROM groups ORDER BY created_at')).rows.map(({ id }) => id);
  const large = groups.pop();
  const [deep, flat] = (await database.query('SELECT id FROM users ORDER BY created_at LIMIT 2')).rows.map(
    ({ id }) => id,
  );
  const width = Math.ceil(GROUPS / LEVELS);
  const edges = groups.flatMap((child, at) =>
    [at + width, Math.floor(at / width + 1) * width + ((at + 1) % width)]
      .filter((parent) => parent < GROUPS)
      .map((parent) => [groups[parent], child]),
  );
  await database.query(
    'INSERT INTO group_subgroups SELECT DISTINCT p, c, now() FROM unnest($1::uuid[], $2::uuid[]) AS edge (p, c)',
    [edges.map(([parent]) => parent), edges.map(([, child]) => child)],
  );
  for (const id of groups.slice(0, width))
    await database.query('INSERT INTO group_users VALUES ($1, $2, now())', [id, deep]);
  await database.query('INSERT INTO group_users VALUES ($1, $2, now())', [large, flat]);
  await database.query('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE id <> $2 LIMIT 500', [
    large,
    flat,
  ]);
  await database.query('ANALYZE');
  return { deep, flat, large };
}

async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256' };
  const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] }))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const token = (role) =>
    new SignJWT({ roles: [role], client_id: role })
      .setProtectedHeader({ alg: 'ES256', kid: 'bench' })
      .setIssuer(url)
      .setAudience('bench')
      .setSubject(role)
      .setExpirationTime('1h')
      .sign(privateKey);
  return { url, server, token };
}

async function startManager({ url, ownerUrl }) {
  const roles = { claim: 'roles', values: { admin: ['admin'], gateway: ['gateway'] } };
  const process_ = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../apps/enterprise-manager/dist/bundle/main.js', import.meta.url))],
    {
      env: {
        PATH: process.env.PATH,
        PORT: '18943',
        METRICS_PORT: '0',
        LOG_LEVEL: 'error',
        AUDIENCE: 'bench',
        CURSOR_KEY: 'a cursor key for benchmarks, long enough',
        DATABASE_URL: url,
        DATABASE_OWNER_URL: ownerUrl,
        ISSUERS: JSON.stringify([{ id: 'bench', issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, roles }]),
        GATEWAYS: JSON.stringify([
          {
            id: 'local',
            display_name: 'Local',
            kind: 'connector',
            client_ids: [{ issuer: issuer.url, client_id: 'gateway' }],
          },
        ]),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const base = 'http://127.0.0.1:18943';
  for (let tries = 0; ; tries += 1) {
    const ready = await fetch(`${base}/readyz`).catch(() => undefined);
    if (ready?.ok) return { url: base, ownerUrl, process: process_ };
    if (tries > 200) throw new Error('the enterprise manager did not become ready');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Median and 95th percentile in milliseconds. */
async function timed(work, times = 200) {
  for (let warm = 0; warm < 10; warm += 1) await work();
  const taken = [];
  for (let n = 0; n < times; n += 1) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  return [middle(taken), taken[Math.floor(taken.length * 0.95)]];
}

function middle(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}
