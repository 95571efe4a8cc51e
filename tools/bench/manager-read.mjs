// Usage: node tools/bench/manager-read.mjs [seconds] [connections] [rounds]
// Method and limit: docs/benchmarks.md#enterprise-manager-reads.
import autocannon from 'autocannon';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import fastify from 'fastify';
import { startBare, stop } from './child-process.mjs';
import { startPlatform } from './local-platform.mjs';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const BARE = 'bare Fastify, token verified';

if (process.argv[2] === 'bare') await serveBare();
else await run();

/** Serves the comparison: it verifies the token and sends a body of the same size. */
async function serveBare() {
  const [, issuer, audience, body] = process.argv.slice(2);
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const server = fastify();
  server.get('/read', async (request, reply) => {
    await jwtVerify(request.headers.authorization.slice(7), keys, { issuer, audience });
    return reply.type('application/json').send(body);
  });
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
}

async function run() {
  const platform = await startPlatform();
  try {
    await measure(platform);
  } finally {
    await platform.end();
  }
}

async function measure({ urls, issuer, audience, fetchToken }) {
  const [seconds = 3, connections = 16, rounds = 3] = process.argv.slice(2).map(Number);
  const headers = { authorization: `Bearer ${await fetchToken({ user: 'admin' })}` };
  const users = await (await fetch(`${urls.enterprise_manager}/v1/users`, { headers })).json();
  const user = users.items[0];
  const bare = await startBare(import.meta.url, issuer, audience, JSON.stringify(user));
  const targets = {
    [BARE]: `${bare.url}/read`,
    'GET /v1/users/{id}': `${urls.enterprise_manager}/v1/users/${user.id}`,
    'GET /v1/me': `${urls.enterprise_manager}/v1/me`,
    'GET /v1/users?limit=50': `${urls.enterprise_manager}/v1/users?limit=50`,
    'GET /.well-known/jwks.json': `${urls.enterprise_manager}/.well-known/jwks.json`,
  };
  const rates = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, url] of Object.entries(targets)) {
      const result = await autocannon({ url, headers, connections, duration: round === 0 ? 1 : seconds });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`);
      if (round > 0) rates[name].push(result.requests.average);
    }
  }
  await stop(bare.child);
  const base = median(rates[BARE]);
  printTable(
    ['Route', 'requests/s', 'ratio to bare'],
    Object.entries(rates).map(([name, list]) => [name, Math.round(median(list)), (median(list) / base).toFixed(2)]),
  );
}
