// node tools/bench/spend-streams.mjs [--rows 1000000] [--home <folder>] [--days 395] [--check]
// Memory of a real enterprise manager (built; own process, own Postgres) while a client reads all
// charges, all events (NDJSON) and an export (CSV) of so many charges of 10,000 people, as fast as
// they come: its resident set (VmRSS) twenty times a second. The charges are taken once before, to
// warm up. The mean of the last fifth of the rows is compared with that of the second tenth;
// `--check` fails where it is more than 32 MB above: a row takes some 1,000 bytes, so a million
// that are held would be a gigabyte. With --home the database is kept, and what bench `spend-reads`
// has filled serves as well; of a larger one, --days takes the newest. Linux only.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { URL, URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '@gatehouse/postgres/server';
import pg from 'pg';
import { adminUrlOf, onDatabase, startIssuer, startManager } from './real-manager.mjs';

// The service's own tests fill a database in the same way.
const fill = new URL('../../apps/enterprise-manager/e2e/spend-fill.ts', import.meta.url);
const { fillSpend, uuidOf } = await import(fill.href);

const LIMIT_MB = 32;
const EVERY_MS = 50;
const DAY_MS = 86_400_000;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    home: { type: 'string' },
    days: { type: 'string', default: '395' },
    check: { type: 'boolean', default: false },
  },
});
const rows = Number(values.rows);
const home = values.home === undefined ? mkdtempSync(join(tmpdir(), 'gatehouse-bench-')) : resolve(values.home);
mkdirSync(home, { recursive: true });
execFileSync('chmod', ['755', home]);

const postgres = await startPostgres({ directory: join(home, 'postgres') });
const issuer = await startIssuer();
let manager;
try {
  const urls = await postgres.database('enterprise_manager');
  manager = await startManager(issuer, { ...onDatabase(urls), SPEND_EXPORT_ENABLED: 'true' });
  await fillUp(adminUrlOf(postgres, urls));
  const token = await issuer.token('auditor', ['auditor']);
  console.log(
    '| Answer | rows | MB | s | RSS MB before | second tenth | last fifth | most |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  );
  const from = new Date(Date.now() - Number(values.days) * DAY_MS).toISOString();
  const charges = ['/v1/budgets/charges', { from }, 'application/x-ndjson'];
  for (const [name, path, query, accept] of [
    ['warming up: charges, NDJSON', ...charges],
    ['charges, NDJSON', ...charges],
    ['usage events, NDJSON', '/v1/budgets/events', { from }, 'application/x-ndjson'],
    [
      'spend by person and model, CSV',
      '/v1/budgets/spend/export',
      { group_by: 'user,model,provider', from },
      'text/csv',
    ],
  ])
    await take(name, `${manager.url}${path}?${new URLSearchParams(query)}`, {
      authorization: `Bearer ${token}`,
      accept,
    });
} finally {
  await manager?.end();
  issuer.close();
  await postgres.stop();
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
}

async function fillUp(adminUrl) {
  const database = new pg.Client({ connectionString: adminUrl });
  await database.connect();
  const first = Number((await database.query('SELECT count(*) FROM charges')).rows[0].count);
  await database.end();
  if (first >= rows) return;
  const now = Date.now();
  await fillSpend(adminUrl, {
    first,
    last: rows,
    people: Array.from({ length: 10_000 }, (_, at) => `person-${at}`),
    groups: Array.from({ length: 200 }, (_, at) => uuidOf(`group ${at}`)),
    models: 20,
    from: new Date(now - 395 * DAY_MS),
    to: new Date(now),
  });
}

/** Reads an answer to its end and prints what the service held meanwhile. */
async function take(name, url, headers) {
  const before = residentMb();
  const samples = [];
  const begun = performance.now();
  let [lines, bytes] = [0, 0];
  const watch = setInterval(() => samples.push([lines, residentMb()]), EVERY_MS);
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  for await (const chunk of response.body) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  clearInterval(watch);
  const seconds = (performance.now() - begun) / 1_000;
  const mean = (from, to) => {
    const within = samples.filter(([at]) => at >= from * lines && at < to * lines).map(([, mb]) => mb);
    return within.reduce((sum, mb) => sum + mb, 0) / within.length;
  };
  const [early, late, most] = [mean(0.1, 0.2), mean(0.8, 1), Math.max(...samples.map(([, mb]) => mb))];
  const cells = [
    name,
    lines,
    (bytes / 1e6).toFixed(0),
    seconds.toFixed(1),
    ...[before, early, late, most].map((mb) => mb.toFixed(0)),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  if (values.check && !name.startsWith('warming up') && !(late - early <= LIMIT_MB)) {
    console.error(`${name}: ${cells[6]} MB at the end, ${cells[5]} MB after the first rows`);
    process.exitCode = 1;
  }
}

/** Megabytes of memory that the service has at the moment. */
function residentMb() {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${manager.child.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
