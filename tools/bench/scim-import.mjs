// Usage: [taskset -c 0,1] node tools/bench/scim-import.mjs [--scale 1] [--clients 2] [--filled]
// [--check]
// Method and limits: docs/benchmarks.md#scim-import. `--scale 0.1` imports a tenth of the users and
// groups. `--filled` writes the directory with SQL and measures only the reads. Linux only.
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { ownCores, startShareOfOthers } from './core-share.mjs';
import { connect, withManagers } from './real-manager.mjs';
import { quantile } from './statistics.mjs';
import { percent, printTable } from './table.mjs';

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

await withManagers({}, async (bench) => {
  const endpoint = await createEndpoint(bench);
  await (options.filled ? measureFilled(endpoint, bench) : measure(endpoint, bench)).finally(() => agent.destroy());
});

async function measure({ base, secret }, { managers: [manager], postgres }) {
  const ask = (method, path, body) => exchange(`${base}${path}`, method, secret, body);
  const send = async (method, path, body) => JSON.parse((await ask(method, path, body)) || 'null');
  const directory = { ids: new Array(users), groupIds: [], latest: undefined };
  const during = createTimes();
  let isImporting = true;
  const reading = (async () => {
    while (isImporting) {
      await read(ask, during, directory.latest, directory.groupIds.at(-1));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();

  const readOthers = startShareOfOthers(ownCores(), [manager.child.pid, postgres.pid]);
  const seconds = {
    users: await timed(() => importUsers(send, directory)),
    groups: await timed(() => importGroups(send, directory)),
  };
  isImporting = false;
  await reading;
  const others = { during: readOthers() };
  const after = await readAfterwards(ask, directory);
  others.after = readOthers();
  await checkImport(send, directory.groupIds[0]);
  report(seconds, during, after, others);
  await reportUnlimited(ask);
}

/** Runs work. @returns its duration in seconds */
async function timed(work) {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
}

async function importUsers(send, directory) {
  await inParallel(users, async (index) => {
    directory.latest = (await send('POST', '/Users', userBody(index))).id;
    directory.ids[index] = directory.latest;
  });
}

/** Creates each group with 100 members, then adds the others in steps of 100. */
async function importGroups(send, { ids, groupIds }) {
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
}

/** @throws {Error} when users, groups or members are missing */
async function checkImport(send, groupId) {
  const { totalResults: foundUsers } = await send('GET', '/Users?count=0');
  const { totalResults: foundGroups } = await send('GET', '/Groups?count=0');
  const { members: found } = await send('GET', `/Groups/${groupId}`);
  const expected = new Set(Array.from({ length: members }, (_, at) => (at * 97) % users)).size;
  if (foundUsers < users || foundGroups !== groups || found.length !== expected)
    throw new Error(`the import is incomplete: ${foundUsers} users, ${foundGroups} groups, ${found.length} members`);
}

/** Measures only the reads, of a directory that SQL created. */
async function measureFilled({ base, secret }, bench) {
  const send = (method, path) => exchange(`${base}${path}`, method, secret);
  const { userId, groupIds } = await fill(bench);
  for (let round = 0; round < 5; round += 1) await read(send, createTimes(), userId, groupIds[0]);
  const times = createTimes();
  for (let round = 0; round < ROUNDS; round += 1) await read(send, times, userId, groupIds[(round * 31) % groups]);
  const rows = Object.entries(times).map(([name, list]) => [name, ...formatQuantiles(list)]);
  printTable(['Read', 'p50 ms', 'p95', 'p99'], rows);
  if (options.check) check(rows.filter(([, , p95]) => Number(p95) >= READ_LIMIT_MS).map(([name]) => tooSlow(name)));
}

/** Returns the 50th, 95th and 99th percentile in milliseconds. */
function formatQuantiles(list) {
  return [0.5, 0.95, 0.99].map((share) => quantile(list, share).toFixed(1));
}

function tooSlow(name) {
  return `${name} reached ${READ_LIMIT_MS} ms`;
}

function check(failures) {
  if (failures.length === 0) return;
  console.error(`Failed: ${failures.join('; ')}.`);
  process.exitCode = 1;
}

/** Writes the directory of the import with SQL, memberships group by group. */
async function fill({ ownerUrl, issuer }) {
  const database = await connect(ownerUrl);
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

async function readAfterwards(send, { ids, groupIds }) {
  const times = createTimes();
  for (let round = 0; round < ROUNDS; round += 1)
    await read(send, times, ids[(round * 997) % users], groupIds[(round * 31) % groups]);
  return times;
}

/** Measures reads without an index and the longest page. They have no limit. */
async function reportUnlimited(send) {
  const rows = [];
  for (const [name, path] of [
    ['part of a user name (`co`)', `/Users?filter=${encodeURIComponent('userName co "erson.4321@"')}`],
    ['end of a user name (`ew`)', `/Users?filter=${encodeURIComponent('userName ew ".4321@example.test"')}`],
    ['part of a display name', `/Users?filter=${encodeURIComponent('displayName co "on 4321"')}`],
    ['end of an e-mail', `/Users?filter=${encodeURIComponent('emails.value ew ".4321@example.test"')}`],
    ['beginning of a display name', `/Users?filter=${encodeURIComponent('displayName sw "person 4321"')}`],
    ['a title of all users', `/Users?filter=${encodeURIComponent('title eq "Engineer"')}`],
    ['page of 10 groups with their members', '/Groups?count=10'],
    ['page of 100 groups with their members', '/Groups?count=100'],
  ]) {
    const times = [];
    for (let round = 0; round < 20; round += 1) {
      const started = performance.now();
      await send('GET', path);
      times.push(performance.now() - started);
    }
    rows.push([name, ...formatQuantiles(times).slice(0, 2)]);
  }
  console.log();
  printTable(['Without a limit', 'p50 ms', 'p95'], rows);
}

function report(seconds, during, after, others) {
  const total = seconds.users + seconds.groups;
  printTable(
    [`Import, ${options.clients} clients`, 'seconds', 'a second'],
    [
      [`${users} users`, seconds.users.toFixed(1), Math.round(users / seconds.users)],
      [`${groups} groups of ${members} members`, seconds.groups.toFixed(1), (groups / seconds.groups).toFixed(1)],
      ['both', total.toFixed(1), ''],
    ],
  );
  console.log(
    `\nOthers had ${percent(others.during)} of the cores during the import and ${percent(others.after)} after it.\n`,
  );
  const rows = Object.keys(during).map((name) => [
    name,
    ...formatQuantiles(during[name]),
    ...formatQuantiles(after[name]),
  ]);
  printTable(['Read', 'p50 ms during', 'p95', 'p99', 'p50 ms after', 'p95', 'p99'], rows);
  if (!options.check) return;
  const slow = rows.filter((row) => Number(row[2]) >= READ_LIMIT_MS || Number(row[5]) >= READ_LIMIT_MS);
  check([
    ...(total > IMPORT_LIMIT_S * scale ? [`the import took ${total.toFixed(0)} s`] : []),
    ...slow.map(([name]) => tooSlow(name)),
  ]);
}

/** Creates the lists of times in milliseconds by kind of read. */
function createTimes() {
  return {
    'page of 100 users': [],
    'page of 100 users without groups': [],
    'last page of 100 users': [],
    'user by userName': [],
    'users by beginning of userName': [],
    'user by externalId': [],
    'user by displayName': [],
    'user by work e-mail': [],
    'page of 100 groups without members': [],
    'group by displayName': [],
    'groups of a member, without members': [],
    'one group with its members': [],
  };
}

/** Reads each kind of page once. */
async function read(send, times, id, groupId) {
  const timed = async (name, path) => {
    const started = performance.now();
    await send('GET', path);
    times[name].push(performance.now() - started);
  };
  const equals = (name, value) => encodeURIComponent(`${name} eq "${value}"`);
  await timed('page of 100 users', '/Users?startIndex=1&count=100');
  await timed('page of 100 users without groups', '/Users?startIndex=1&count=100&excludedAttributes=groups');
  await timed('last page of 100 users', `/Users?startIndex=${Math.max(1, users - 100)}&count=100`);
  await timed('user by userName', `/Users?filter=${equals('userName', 'Person.7@example.test')}`);
  await timed(
    'users by beginning of userName',
    `/Users?filter=${encodeURIComponent('userName sw "person.7"')}&count=10&excludedAttributes=groups`,
  );
  await timed('user by externalId', `/Users?filter=${equals('externalId', 'e-7')}`);
  await timed('user by displayName', `/Users?filter=${equals('displayName', 'person 7')}`);
  await timed(
    'user by work e-mail',
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

/** Returns the body of the n-th user. */
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

/** Runs work for each index, with one loop for each client. */
async function inParallel(count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Number(options.clients) }, worker));
}

/** Creates a SCIM token. @returns address and secret of its endpoint */
async function createEndpoint({ issuer, managers: [{ url }] }) {
  const response = await fetch(`${url}/v1/scim-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await issuer.token('admin', ['admin'])}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issuer_id: 'bench', name: 'Import' }),
  });
  if (response.status !== 201) throw new Error(`no SCIM token: ${response.status} ${await response.text()}`);
  return { base: `${url}/scim/bench/v2`, secret: (await response.json()).secret };
}

/**
 * Sends one request over a kept connection.
 * @returns the text of the response
 * @throws {Error} for a failure
 */
function exchange(url, method, secret, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/scim+json' }) };
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode >= 300)
          reject(new Error(`${method} ${url}: ${response.statusCode} ${text.slice(0, 300)}`));
        else resolve(text);
      });
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
