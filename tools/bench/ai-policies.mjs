// Usage: node tools/bench/ai-policies.mjs [seconds] [policies] (after `npm run build`)
// Measures AI gateway management on a folder of YAML files: reads from its cache against a bare
// Fastify route that verifies the same token, a page of 500 policies, the resident memory, and the
// time until an edited file is visible. Method and limit: docs/benchmarks.md#ai-gateway-management.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { URL } from 'node:url';
import autocannon from 'autocannon';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import fastify from 'fastify';
import { startBare, startService, stop } from './child-process.mjs';
import { readResidentMb } from './core-share.mjs';
import { startIssuer } from './real-manager.mjs';
import { median, quantile } from './statistics.mjs';
import { printTable } from './table.mjs';

const MAIN = resolve(import.meta.dirname, '../../apps/ai-gateway-mgmt/dist/bundle/main.js');
const NODE_FLAGS = resolve(import.meta.dirname, '../../apps/ai-gateway-mgmt/node-flags');
const AUDIENCE = 'gatehouse';
const BARE = 'bare Fastify, token verified';

if (process.argv[2] === 'bare') await serveBare();
else await run();

/** Serves the comparison: it verifies the token and sends a body of the same size. */
async function serveBare() {
  const [, issuer, body] = process.argv.slice(2);
  const keys = createRemoteJWKSet(new URL(`${issuer}/keys`));
  const server = fastify();
  server.get('/read', async (request, reply) => {
    await jwtVerify(request.headers.authorization.slice(7), keys, { issuer, audience: AUDIENCE });
    return reply.type('application/json').send(body);
  });
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
}

async function run() {
  const [seconds = 3, policies = 5_000] = process.argv.slice(2).map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const issuer = await startIssuer();
  let management;
  try {
    writeResources(folder, issuer.name, policies);
    management = await startManagement(folder);
    const headers = { authorization: `Bearer ${await issuer.token('admin', ['admin'])}` };
    const statusesMs = await waitForPolicies(management.url, headers, policies);
    await measure({ folder, issuer, management, headers, seconds, statusesMs });
  } finally {
    await management?.end();
    issuer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function formatName(at) {
  return `policy-${String(at).padStart(5, '0')}`;
}

/** One gateway with 20 models, and policies with two matchers and two models each. */
function writeResources(folder, issuer, policies) {
  const write = (name, resource) => writeFileSync(join(folder, name), `${JSON.stringify(resource, null, 2)}\n`);
  const apiVersion = 'gatehouse.dev/v1alpha1';
  const models = Array.from({ length: 20 }, (_, at) => `model-${at}`);
  write('aigateway-bench.yaml', {
    apiVersion,
    kind: 'AIGateway',
    metadata: { name: 'bench' },
    spec: {
      auth: {
        oidc: { issuer, audience: AUDIENCE, jwksUri: `${issuer}/keys` },
        authz: { roles: { admin: [{ claims: { roles: 'admin' } }] } },
      },
      providers: [{ name: 'openai', kind: 'openai', endpoint: 'https://api.openai.com' }],
      routes: models.map((model) => ({ match: { model }, backends: [{ provider: 'openai' }] })),
    },
  });
  for (let at = 0; at < policies; at += 1)
    write(`aipolicy-${formatName(at)}.yaml`, {
      apiVersion,
      kind: 'AIPolicy',
      metadata: { name: formatName(at), labels: { team: `team-${at % 50}` } },
      spec: {
        gatewayRef: { name: 'bench' },
        description: `Models of the group ${at}`,
        principalMatchers: [{ claims: { groups: `group-${at}` } }, { claims: { email: `user-${at}@example.test` } }],
        budgets: [{ name: 'models', models: [models[at % 20], models[(at + 7) % 20]] }],
      },
    });
}

/** Starts the built service on the folder, with the settings of memory of its image. */
function startManagement(folder) {
  const flags = readFileSync(NODE_FLAGS, 'utf8').split(/\s+/).filter(Boolean);
  return startService([...flags, MAIN], {
    MALLOC_ARENA_MAX: '1',
    LOG_LEVEL: 'info',
    NAMESPACE: 'bench',
    GATEWAY_NAME: 'bench',
    RESOURCES_FOLDER: folder,
    REQUESTS_PER_MINUTE: '0',
    CURSOR_KEY: randomBytes(32).toString('hex'),
  });
}

/**
 * Waits until every policy has a status, so that no reconciliation runs during a measurement.
 * @returns the time from the first page of policies until then, in ms
 */
async function waitForPolicies(url, headers, policies) {
  let begunAt;
  for (;;) {
    const complete = await countComplete(url, headers);
    begunAt ??= complete === undefined ? undefined : performance.now();
    if (complete === policies) break;
    await sleep(1_000);
  }
  const statusesMs = performance.now() - begunAt;
  await sleep(2_000);
  return statusesMs;
}

/** @returns the number of policies with a status, or undefined while policies are not known */
async function countComplete(url, headers) {
  let count = 0;
  for (let token = ''; ;) {
    const answer = await fetch(`${url}/v1/policies?limit=500&pageToken=${token}`, { headers });
    const { items, nextPageToken } = await answer.json();
    if (answer.status !== 200) return undefined;
    count += items.filter(({ status }) => status?.observedGeneration !== undefined).length;
    if (nextPageToken === undefined) return count;
    token = nextPageToken;
  }
}

async function measure({ folder, issuer, management: { url, child }, headers, seconds, statusesMs }) {
  const paths = {
    'GET /v1/policies/{name}': `/v1/policies/${formatName(7)}`,
    'GET /v1/models': '/v1/models',
    'GET /v1/me': '/v1/me',
  };
  const idleMb = readResidentMb(child.pid);
  const sample = await (await fetch(`${url}${paths['GET /v1/policies/{name}']}`, { headers })).text();
  const bare = await startBare(import.meta.url, issuer.name, sample);
  const targets = {
    [BARE]: `${bare.url}/read`,
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, `${url}${path}`])),
  };
  const rates = await measureRates(targets, headers, seconds);
  await stop(bare.child);
  const base = median(rates[BARE]);
  printTable(
    ['Route', 'requests/s', 'ratio to bare'],
    Object.entries(rates).map(([name, list]) => [name, Math.round(median(list)), (median(list) / base).toFixed(2)]),
  );
  const page = await timePages(url, headers);
  const visible = await timeEdit(folder, url, headers);
  printTable(
    ['Measure', 'value'],
    [
      ['page of 500 policies, p50', `${median(page).toFixed(1)} ms`],
      ['page of 500 policies, p99', `${quantile(page, 0.99).toFixed(1)} ms`],
      ['first statuses of all policies', `${(statusesMs / 1000).toFixed(1)} s`],
      ['resident memory before the load', `${idleMb} MB`],
      ['resident memory after it', `${readResidentMb(child.pid)} MB`],
      ['edited file visible, median of 5', `${Math.round(median(visible))} ms`],
    ],
  );
}

async function measureRates(targets, headers, seconds) {
  const rates = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round <= 3; round += 1) {
    for (const [name, url] of Object.entries(targets)) {
      const result = await autocannon({ url, headers, connections: 16, duration: round === 0 ? 1 : seconds });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`);
      if (round > 0) rates[name].push(result.requests.average);
    }
  }
  return rates;
}

/** @returns the times of 200 requests for a page, one at a time, in ms */
async function timePages(url, headers) {
  const times = [];
  for (let at = 0; at < 220; at += 1) {
    const begun = performance.now();
    const answer = await fetch(`${url}/v1/policies?limit=500`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`a page was answered ${answer.status}`);
    if (at >= 20) times.push(performance.now() - begun);
  }
  return times;
}

/** @returns the times from the end of a file's write until its new content is read, in ms */
async function timeEdit(folder, url, headers) {
  const times = [];
  for (let at = 0; at < 5; at += 1) {
    const file = join(folder, `aipolicy-${formatName(at)}.yaml`);
    const description = `edited ${at}`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"description": ".*"/, `"description": "${description}"`));
    const begun = performance.now();
    for (;;) {
      const policy = await (await fetch(`${url}/v1/policies/${formatName(at)}`, { headers })).json();
      if (policy.spec.description === description) break;
      await sleep(5);
    }
    times.push(performance.now() - begun);
  }
  return times;
}
