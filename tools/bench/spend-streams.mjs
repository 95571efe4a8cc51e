// Usage: node tools/bench/spend-streams.mjs [--rows 1000000] [--home <folder>] [--days 395]
// [--check]
// Method and limit: docs/benchmarks.md#spend. With `--home` the database is kept, and a database of
// spend-reads.mjs can be used; `--days` then selects its newest charges. A row has about 1,000
// bytes, so a million rows in memory would be a gigabyte. Linux only.
import { readFileSync } from 'node:fs';
import { URL, URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { connect, withManagers } from './real-manager.mjs';
import { sum } from './statistics.mjs';
import { printHeadings, printRow } from './table.mjs';

// The service's own tests fill a database in the same way.
const fill = new URL('../../apps/enterprise-manager/e2e/spend-fill.ts', import.meta.url);
const { fillSpend, deriveUuid } = await import(fill.href);

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
const env = () => ({ SPEND_EXPORT_ENABLED: 'true' });
await withManagers({ home: values.home, env }, async ({ issuer, managers: [manager], adminUrl }) => {
  await fillUp(adminUrl);
  const authorization = `Bearer ${await issuer.token('auditor', ['auditor'])}`;
  printHeadings(['Answer', 'rows', 'MB', 's', 'RSS MB before', 'second tenth', 'last fifth', 'maximum']);
  const from = new Date(Date.now() - Number(values.days) * DAY_MS).toISOString();
  const charges = ['/v1/budgets/charges', { from }, 'application/x-ndjson'];
  const sums = ['/v1/budgets/spend/export', { group_by: 'user,model,provider', from }, 'text/csv'];
  for (const [name, path, query, accept] of [
    ['warm-up: charges, NDJSON', ...charges],
    ['charges, NDJSON', ...charges],
    ['usage events, NDJSON', '/v1/budgets/events', { from }, 'application/x-ndjson'],
    ['spend by user and model, CSV', ...sums],
  ])
    await measure(name, manager, `${path}?${new URLSearchParams(query)}`, { authorization, accept });
});

/** Adds the missing charges. */
async function fillUp(adminUrl) {
  const database = await connect(adminUrl);
  const first = Number((await database.query('SELECT count(*) FROM charges')).rows[0].count);
  await database.end();
  if (first >= rows) return;
  const now = Date.now();
  await fillSpend(adminUrl, {
    first,
    last: rows,
    people: Array.from({ length: 10_000 }, (_, at) => `person-${at}`),
    groups: Array.from({ length: 200 }, (_, at) => deriveUuid(`group ${at}`)),
    models: 20,
    from: new Date(now - 395 * DAY_MS),
    to: new Date(now),
  });
}

/** Reads a whole response and prints the memory of the service during it. */
async function measure(name, { url, child }, path, headers) {
  const before = residentMb(child.pid);
  const samples = [];
  const begun = performance.now();
  let [lines, bytes] = [0, 0];
  const watch = setInterval(() => samples.push([lines, residentMb(child.pid)]), EVERY_MS);
  const response = await fetch(`${url}${path}`, { headers });
  if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  for await (const chunk of response.body) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  clearInterval(watch);
  const seconds = (performance.now() - begun) / 1_000;
  const mean = (from, to) => {
    const within = samples.filter(([at]) => at >= from * lines && at < to * lines).map(([, mb]) => mb);
    return sum(within) / within.length;
  };
  const [early, late, maximum] = [mean(0.1, 0.2), mean(0.8, 1), Math.max(...samples.map(([, mb]) => mb))];
  const cells = [
    name,
    lines,
    (bytes / 1e6).toFixed(0),
    seconds.toFixed(1),
    ...[before, early, late, maximum].map((mb) => mb.toFixed(0)),
  ];
  printRow(cells);
  if (values.check && !name.startsWith('warm-up') && !(late - early <= LIMIT_MB)) {
    console.error(`${name}: ${cells[6]} MB at the end, ${cells[5]} MB after the first rows`);
    process.exitCode = 1;
  }
}

/** Returns the resident memory of a process in megabytes. */
function residentMb(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
