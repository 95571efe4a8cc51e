// node tools/bench/scim-import.mjs [--scale 1] [--clients 2] [--filled] [--check] A directory is
// imported through SCIM into a real enterprise manager (own process; own Postgres with its usual
// settings): 50,000 users, one request each, then 2,000 groups of 500 members, each made with a
// hundred and filled with four PATCHes of a hundred. Ten times a second somebody reads all kinds of
// pages meanwhile, and afterwards again. Prints the times, and how much of its cores others had;
// `--check` fails when the import takes more than 10 minutes, or when the 95th percentile of a kind
// of read reaches 50 ms, during the import or after it. `--scale 0.1` imports a tenth of the users
// and groups; `--filled` writes the same directory with SQL in a minute and measures only the
// reads.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startServer } from './server.mjs';
import { ownCores, shareOfOthers } from './core-share.mjs';
import { onDatabase, startIssuer, startManager } from './real-manager.mjs';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const IMPORT_LIMIT_S = 600;
const READ_LIMIT_MS = 50;
const AT_ONCE = 100;
const ROUNDS = 100;

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    clients: { type: 'string', default: '2' },
    filled: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const scale = Number(options.scale);
const users = Math.round(50_000 * scale);
const groups = Math.round(2_000 * scale);
const members = Math.min(500, users);
const agent = new Agent({ keepAlive: true });

const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
chmodSync(home, 0o755);
const postgres = await startServer(join(home, 'postgres'));
const issuer = await startIssuer();
let manager;
try {
  const urls = await postgres.database('enterprise_manager');
  manager = await startManager(issuer, onDatabase(urls));
  const endpoint = await scimEndpoint(manager.url);
  await (options.filled ? measureFilled(endpoint, urls.ownerUrl) : measure(endpoint));
} finally {
  agent.destroy();
  await manager?.end();
  issuer.close();
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}

async function measure({ base, secret }) {
  const ask = (method, path, body) => exchange(`${base}${path}`, method, secret, body);
  const send = async (method, path, body) => JSON.parse((await ask(method, path, body)) || 'null');
  const ids = new Array(users);
  const groupIds = [];
  const during = readings();
  let importing = true;
  let latest;
  const reading = (async () => {
    while (importing) {
      await read(ask, during, latest, groupIds.at(-1));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();

  const others = shareOfOthers(ownCores(), [manager.child.pid, postgres.pid]);
  const started = performance.now();
  await inParallel(users, async (index) => {
    latest = (await send('POST', '/Users', userBody(index))).id;
    ids[index] = latest;
  });
  const usersAfter = performance.now();
  await inParallel(groups, async (index) => {
    const chosen = Array.from({ length: members }, (_, at) => ({ value: ids[(index * 37 + at * 97) % users] }));
    const { id } = await send('POST', '/Groups', {
      schemas: [GROUP],
      displayName: `Group ${index}`,
      externalId: `g-${index}`,
      members: chosen.slice(0, AT_ONCE),
    });
    for (let at = AT_ONCE; at < chosen.length; at += AT_ONCE) {
      const value = chosen.slice(at, at + AT_ONCE);
      await send('PATCH', `/Groups/${id}`, { schemas: [PATCH], Operations: [{ op: 'Add', path: 'members', value }] });
    }
    groupIds.push(id);
  });
  const done = performance.now();
  importing = false;
  await reading;
  const sharesOfOthers = [others()];
  const after = await readAfterwards(ask, ids, groupIds);
  sharesOfOthers.push(others());

  const { totalResults: foundUsers } = await send('GET', '/Users?count=0');
  const { totalResults: foundGroups } = await send('GET', '/Groups?count=0');
  const { members: held } = await send('GET', `/Groups/${groupIds[0]}`);
  const expected = new Set(Array.from({ length: members }, (_, at) => (at * 97) % users)).size;
  if (foundUsers < users || foundGroups !== groups || held.length !== expected)
    throw new Error(`the import is not whole: ${foundUsers} users, ${foundGroups} groups, ${held.length} members`);
  report({ users: (usersAfter - started) / 1000, groups: (done - usersAfter) / 1000 }, during, after, sharesOfOthers);
  await reportOthers(ask);
}

/** Only the reads, of a directory that SQL has made. */
async function measureFilled({ base, secret }, ownerUrl) {
  const send = (method, path) => exchange(`${base}${path}`, method, secret);
  const { userId, groupIds } = await fill(ownerUrl);
  for (let round = 0; round < 5; round += 1) await read(send, readings(), userId, groupIds[0]);
  const times = readings();
  for (let round = 0; round < ROUNDS; round += 1) await read(send, times, userId, groupIds[(round * 31) % groups]);
  console.log('| Read | p50 ms | p95 | p99 |\n| --- | ---: | ---: | ---: |');
  const slow = [];
  for (const [name, list] of Object.entries(times)) {
    const figures = [0.5, 0.95, 0.99].map((share) => quantile(list, share));
    console.log(`| ${name} | ${figures.map((figure) => figure.toFixed(1)).join(' | ')} |`);
    if (figures[1] >= READ_LIMIT_MS) slow.push(name);
  }
  if (!options.check || slow.length === 0) return;
  console.error(`Failed: ${slow.map((name) => `${name} reached ${READ_LIMIT_MS} ms`).join('; ')}.`);
  process.exitCode = 1;
}

/**
 * The directory of the import, written at once; memberships group by group, as they would have
 * come.
 */
async function fill(connectionString) {
  const database = new pg.Client({ connectionString });
  await database.connect();
  const start = Date.now();
  for (let at = 0; at < users; at += 1_000) {
    const people = Array.from({ length: Math.min(1_000, users - at) }, (_, index) => {
      const { userName, externalId, ...scim } = userBody(at + index);
      delete scim.schemas;
      delete scim.active;
      return { userName, externalId, scim, displayName: scim.displayName, at: new Date(start + (at + index) * 5) };
    });
    await database.query(
      `INSERT INTO users (id, issuer, source, user_name, user_name_key, external_id, binding_key, active, email, email_key, display_name, search_key, scim,
                          created_at, updated_at)
       SELECT gen_random_uuid(), $2, 'scim', "userName", lower("userName"), "externalId", "externalId", TRUE, "userName", lower("userName"),
              "displayName", lower("displayName"), scim, at, at
       FROM jsonb_to_recordset($1::jsonb) AS p ("userName" text, "externalId" text, "displayName" text, scim jsonb, at timestamptz)`,
      [JSON.stringify(people), issuer.name],
    );
  }
  await database.query(
    `INSERT INTO groups (id, issuer, source, name, display_name, display_name_key, description, search_key, external_id, created_at, updated_at)
     SELECT gen_random_uuid(), $2, 'scim', 'group-' || n, 'Group ' || n, 'group ' || n, '', 'group ' || n, 'g-' || n, now() + n * interval '60 ms', now()
     FROM generate_series(0, $1::int - 1) AS n`,
    [groups, issuer.name],
  );
  await database.query(
    `INSERT INTO group_users (group_id, user_id, created_at)
     SELECT g.id, u.id, now() FROM (SELECT id, substr(external_id, 3)::int AS n FROM groups) AS g
     CROSS JOIN generate_series(0, $1::int - 1) AS at JOIN users u ON u.issuer = $3 AND u.external_id = 'e-' || ((g.n * 37 + at * 97) % $2::int)
     ORDER BY g.n ON CONFLICT DO NOTHING`,
    [members, users, issuer.name],
  );
  for (const table of ['users', 'groups', 'group_users']) await database.query(`VACUUM ANALYZE ${table}`);
  const { rows } = await database.query('SELECT id FROM groups ORDER BY created_at');
  const { rows: people } = await database.query(`SELECT id FROM users WHERE external_id = 'e-7'`);
  await database.end();
  return { userId: people[0].id, groupIds: rows.map(({ id }) => id) };
}

async function readAfterwards(send, ids, groupIds) {
  const times = readings();
  for (let round = 0; round < ROUNDS; round += 1)
    await read(send, times, ids[(round * 997) % users], groupIds[(round * 31) % groups]);
  return times;
}

/** Questions that no index answers, and the longest page: without a limit. */
async function reportOthers(send) {
  console.log('\n| Without a limit | p50 ms | p95 |\n| --- | ---: | ---: |');
  for (const [name, path] of [
    ['part of a user name (`co`)', `/Users?filter=${encodeURIComponent('userName co "erson.4321@"')}`],
    ['end of a user name (`ew`)', `/Users?filter=${encodeURIComponent('userName ew ".4321@example.test"')}`],
    ['part of a display name', `/Users?filter=${encodeURIComponent('displayName co "on 4321"')}`],
    ['end of an e-mail', `/Users?filter=${encodeURIComponent('emails.value ew ".4321@example.test"')}`],
    ['beginning of a display name', `/Users?filter=${encodeURIComponent('displayName sw "person 4321"')}`],
    ['a title that all have', `/Users?filter=${encodeURIComponent('title eq "Engineer"')}`],
    ['page of 10 groups with their members', '/Groups?count=10'],
    ['page of 100 groups with their members', '/Groups?count=100'],
  ]) {
    const times = [];
    for (let round = 0; round < 20; round += 1) {
      const started = performance.now();
      await send('GET', path);
      times.push(performance.now() - started);
    }
    console.log(`| ${name} | ${[0.5, 0.95].map((share) => quantile(times, share).toFixed(1)).join(' | ')} |`);
  }
}

function report(seconds, during, after, [duringOthers, afterOthers]) {
  const total = seconds.users + seconds.groups;
  console.log(`| Import, ${options.clients} clients | seconds | a second |\n| --- | ---: | ---: |`);
  console.log(`| ${users} users | ${seconds.users.toFixed(1)} | ${Math.round(users / seconds.users)} |`);
  console.log(
    `| ${groups} groups of ${members} members | ${seconds.groups.toFixed(1)} | ${(groups / seconds.groups).toFixed(1)} |`,
  );
  console.log(`| both | ${total.toFixed(1)} | |\n`);
  console.log(
    `Others had ${Math.round(duringOthers * 100)} % of the cores during the import and ${Math.round(afterOthers * 100)} % after it.\n`,
  );
  console.log(
    '| Read | p50 ms during | p95 | p99 | p50 ms after | p95 | p99 |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  );
  const slow = [];
  for (const [name, list] of Object.entries(during)) {
    const figures = [list, after[name]].flatMap((times) => [0.5, 0.95, 0.99].map((share) => quantile(times, share)));
    console.log(`| ${name} | ${figures.map((figure) => figure.toFixed(1)).join(' | ')} |`);
    if (figures[1] >= READ_LIMIT_MS || figures[4] >= READ_LIMIT_MS) slow.push(name);
  }
  if (!options.check) return;
  const failures = [
    ...(total > IMPORT_LIMIT_S * scale ? [`the import took ${total.toFixed(0)} s`] : []),
    ...slow.map((name) => `${name} reached ${READ_LIMIT_MS} ms`),
  ];
  if (failures.length > 0) console.error(`Failed: ${failures.join('; ')}.`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/** Times in milliseconds by kind of read. */
function readings() {
  return {
    'page of 100 users': [],
    'page of 100 users without groups': [],
    'page of 100 users, at the end': [],
    'user by userName': [],
    'users by the beginning of userName': [],
    'user by externalId': [],
    'user by displayName': [],
    'user by an e-mail for work': [],
    'page of 100 groups without members': [],
    'group by displayName': [],
    'groups of a member, without members': [],
    'one group with its members': [],
  };
}

async function read(send, times, id, groupId) {
  const timed = async (name, path) => {
    const started = performance.now();
    await send('GET', path);
    times[name].push(performance.now() - started);
  };
  const equals = (name, value) => encodeURIComponent(`${name} eq "${value}"`);
  await timed('page of 100 users', '/Users?startIndex=1&count=100');
  await timed('page of 100 users without groups', '/Users?startIndex=1&count=100&excludedAttributes=groups');
  await timed('page of 100 users, at the end', `/Users?startIndex=${Math.max(1, users - 100)}&count=100`);
  await timed('user by userName', `/Users?filter=${equals('userName', 'Person.7@example.test')}`);
  await timed(
    'users by the beginning of userName',
    `/Users?filter=${encodeURIComponent('userName sw "person.7"')}&count=10&excludedAttributes=groups`,
  );
  await timed('user by externalId', `/Users?filter=${equals('externalId', 'e-7')}`);
  await timed('user by displayName', `/Users?filter=${equals('displayName', 'person 7')}`);
  await timed(
    'user by an e-mail for work',
    `/Users?filter=${encodeURIComponent('emails[type eq "work" and value eq "person.7@example.test"]')}`,
  );
  await timed('page of 100 groups without members', '/Groups?count=100&excludedAttributes=members');
  await timed('group by displayName', `/Groups?filter=${equals('displayName', 'group 1')}&excludedAttributes=members`);
  if (id !== undefined)
    await timed(
      'groups of a member, without members',
      `/Groups?filter=${equals('members', id)}&excludedAttributes=members`,
    );
  if (groupId !== undefined) await timed('one group with its members', `/Groups/${groupId}`);
  if (id !== undefined) await send('GET', `/Users/${id}`);
}

function quantile(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function userBody(index) {
  const userName = `Person.${index}@example.test`;
  return {
    schemas: [USER, ENTERPRISE],
    userName,
    externalId: `e-${index}`,
    active: true,
    displayName: `Person ${index}`,
    name: { givenName: 'Person', familyName: `Number ${index}` },
    title: 'Engineer',
    emails: [{ primary: true, type: 'work', value: userName }],
    [ENTERPRISE]: { employeeNumber: `${index}`, department: `Department ${index % 100}` },
  };
}

async function inParallel(count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Number(options.clients) }, worker));
}

/** Address and secret of an endpoint. */
async function scimEndpoint(url) {
  const made = await fetch(`${url}/v1/scim-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await issuer.token('admin', ['admin'])}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issuer_id: 'bench', name: 'Import' }),
  });
  if (made.status !== 201) throw new Error(`no SCIM token: ${made.status} ${await made.text()}`);
  return { base: `${url}/scim/bench/v2`, secret: (await made.json()).secret };
}

/**
 * One exchange over a connection that is kept.
 * @returns the text of its answer
 * @throws Error for a failure
 */
function exchange(url, method, secret, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/scim+json' }) };
    const sent = request(url, { method, agent, headers }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode >= 300) reject(new Error(`${method} ${url}: ${answer.statusCode} ${text.slice(0, 300)}`));
        else resolve(text);
      });
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
