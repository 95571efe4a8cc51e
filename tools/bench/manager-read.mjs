// node tools/bench/manager-read.mjs [seconds] [connections] [rounds] Plain authenticated reads of a
// real enterprise manager (own process, real Postgres) beside a bare Fastify route in a process of
// its own that verifies the same token with jose on each request, in turns in one run. Prints
// requests per second and the ratio (target: at least 0.5).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import fastify from 'fastify';

const [first] = process.argv.slice(2);
if (first === 'bare') await serveBare();
else await measure();

/** The measure of comparison: nothing but the token check and a body of the same size. */
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

async function measure() {
  const [seconds = 3, connections = 16, rounds = 3] = process.argv.slice(2).map(Number);
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const platformMain = fileURLToPath(new URL('../../apps/local-platform/dist/main.js', import.meta.url));
  const platform = spawn(process.execPath, [platformMain, '--json'], {
    env: { ...process.env, GATEHOUSE_HOME: home, GATEHOUSE_PORT_OFFSET: process.env.GATEHOUSE_PORT_OFFSET ?? '7000' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { urls, issuer, audience } = JSON.parse(await firstLine(platform));
  const secret = readFileSync(join(home, 'secrets', 'local-tokens'), 'utf8');
  const minted = await fetch(`${issuer}/local/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ user: 'admin', ttl_seconds: 3600 }),
  });
  const headers = { authorization: `Bearer ${(await minted.json()).access_token}` };
  const users = await (await fetch(`${urls.enterprise_manager}/v1/users`, { headers })).json();
  const user = users.items[0];
  const bare = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), 'bare', issuer, audience, JSON.stringify(user)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const targets = {
    'bare Fastify, token verified': `${await firstLine(bare)}/read`,
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
  const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const base = middle(rates['bare Fastify, token verified']);
  console.log('| Route | requests/s | ratio to bare |\n| --- | --- | --- |');
  for (const [name, list] of Object.entries(rates)) {
    console.log(`| ${name} | ${Math.round(middle(list))} | ${(middle(list) / base).toFixed(2)} |`);
  }
  bare.kill();
  platform.kill();
  await once(platform, 'exit');
  rmSync(home, { recursive: true, force: true });
}

/** The first line that a process prints. */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]);
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
}
