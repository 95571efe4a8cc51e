// Usage: node tools/bench/membership.mjs [seconds] [rounds] [--check]
// Method and limits: docs/benchmarks.md#directory.
import autocannon from 'autocannon';
import { connect, get, withManagers } from './real-manager.mjs';
import { median, quantile } from './statistics.mjs';
import { printTable } from './table.mjs';
import { selectGroupsOfUser } from '../../apps/enterprise-manager/dist/people/group-sql.js';

const MEMBERSHIP_LIMIT_MS = 5;
const SEARCH_LIMIT_MS = 50;
const PEOPLE = 50_000;
const LEVELS = 32;
const GROUPS = 500;
/** Searches among all users, by name. */
const SEARCHES = {
  'a name without a match': 'search=no-such-user',
  'a name with one match': 'search=PERSON%2049123',
  'a name of all users': 'search=person',
  'two letters': 'search=zz',
  'an exact address': 'email=person.31000%40bench.example',
};

const flags = process.argv.slice(2);
const [seconds = 3, rounds = 3] = flags.filter((flag) => !flag.startsWith('--')).map(Number);
await withManagers({}, async ({ issuer, managers: [{ url }], ownerUrl }) => {
  const database = await connect(ownerUrl);
  const people = await fill(database);
  const sql = await measureSql(database, people);
  await database.end();
  const rates = await measureEntitlements(url, await issuer.token('gateway', ['gateway']), people);
  const http = await measureSearches(url, await issuer.token('admin', ['admin']), people);
  report(sql, http, rates);
});

async function measureSql(database, people) {
  const text = `${selectGroupsOfUser('$1::uuid')} ORDER BY id`;
  const { rowCount } = await database.query(text, [people.deep]);
  if (rowCount !== GROUPS) throw new Error(`${rowCount} groups instead of ${GROUPS}`);
  const measureTimes = (id) => timed(() => database.query({ name: 'holding', text, values: [id] }));
  return [
    ['groups of a user in 500 nested groups (SQL)', ...(await measureTimes(people.deep))],
    ['groups of a user in one group (SQL)', ...(await measureTimes(people.flat))],
  ];
}

/** Measures entitlements over one connection, in turns. @returns requests a second of each user */
async function measureEntitlements(url, token, people) {
  const rates = { flat: [], deep: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, list] of Object.entries(rates)) {
      const result = await autocannon({
        url: `${url}/gateway/v1/gateways/local/entitlements/${people[name]}`,
        headers: { authorization: `Bearer ${token}` },
        connections: 1,
        duration: round === 0 ? 1 : seconds,
      });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`);
      if (round > 0) list.push(result.requests.average);
    }
  }
  return { flat: median(rates.flat), deep: median(rates.deep) };
}

async function measureSearches(url, token, people) {
  const paths = Object.entries(SEARCHES).map(([name, query]) => [
    `search for ${name}, 50,000 users (HTTP)`,
    `/v1/users?${query}`,
  ]);
  paths.push(['the first page of 500 members of a group (HTTP)', `/v1/groups/${people.large}/members?limit=50`]);
  const rows = [];
  for (const [name, path] of paths) rows.push([name, ...(await timed(() => get(`${url}${path}`, token), 40))]);
  return rows;
}

function report(sql, http, { flat, deep }) {
  printTable(
    ['Query', 'median ms', 'p95 ms'],
    [...sql, ...http].map(([name, ...times]) => [name, ...times.map((time) => time.toFixed(2))]),
  );
  console.log();
  printTable(
    ['Entitlements over HTTP, one connection', 'requests/s', 'ratio'],
    [
      ['in one group', Math.round(flat), '1.00'],
      [`in ${GROUPS} nested groups`, Math.round(deep), (deep / flat).toFixed(2)],
    ],
  );
  if (!flags.includes('--check')) return;
  const limited = [
    ...[...sql, ['entitlements', 1_000 / deep]].map((row) => [...row, MEMBERSHIP_LIMIT_MS]),
    ...http.map((row) => [...row, SEARCH_LIMIT_MS]),
  ];
  for (const row of limited) {
    const [name, ms] = row;
    if (ms <= row.at(-1)) continue;
    console.error(`${name}: ${ms.toFixed(2)} ms, above the limit of ${row.at(-1)} ms`);
    process.exitCode = 1;
  }
}

/**
 * Creates levels of 16 groups. Each group is in two groups of the level above, and the user `deep`
 * is in all groups of the lowest level.
 */
async function fill(database) {
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

/** Measures repeated work. @returns median and 95th percentile in milliseconds */
async function timed(work, times = 200) {
  for (let warm = 0; warm < 10; warm += 1) await work();
  const taken = [];
  for (let n = 0; n < times; n += 1) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  return [median(taken), quantile(taken, 0.95)];
}
