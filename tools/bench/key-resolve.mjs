// Usage: node tools/bench/key-resolve.mjs [seconds] [connections] [rounds] [--check]
// Method and limit: docs/benchmarks.md#keys. Linux only.
import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import fastify from 'fastify';
import { startBare, stop } from './child-process.mjs';
import { checkLoad, loadInTurns, printLoads } from './core-load.mjs';
import { bindToCores } from './core-share.mjs';
import { openHome, startIssuer, startManager } from './real-manager.mjs';

const LIMIT = 5_000;
const [SERVICE_CORE, DRIVER_CORE] = [0, 1];
const [PEOPLE, KEYS_EACH] = [20, 50];
const PATH = '/gateway/v1/keys/resolve';
const BARE = 'bare Fastify';

if (process.argv[2] === 'bare') await serveBare(process.argv[3]);
else await run();

/** Serves the comparison: it reads the body and sends the same bytes each time. */
async function serveBare(body) {
  const server = fastify();
  server.post(PATH, (request, reply) =>
    reply
      .code(request.body.secret_sha256 ? 200 : 400)
      .type('application/json')
      .send(body),
  );
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
}

async function run() {
  const home = openHome();
  const issuer = await startIssuer();
  let manager;
  try {
    const seed = { GATEHOUSE_HOME: home, SEED_USERS: JSON.stringify(createUsers(issuer)) };
    manager = await startManager(issuer, { HOME: process.env.HOME, ...seed });
    await measure(manager, issuer);
  } finally {
    await manager?.end();
    issuer.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(manager, issuer) {
  const numbers = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const [seconds = 5, connections = 32, rounds = 3] = numbers.map(Number);
  const headers = {
    authorization: `Bearer ${await issuer.token('gateway', ['gateway'])}`,
    'content-type': 'application/json',
  };
  const keys = await createKeys(manager.url, issuer);
  const bodies = keys.map((secret) => JSON.stringify({ secret_sha256: sha256(secret) }));
  const first = await fetch(`${manager.url}${PATH}`, { method: 'POST', headers, body: bodies[0] });
  const text = await first.text();
  if (first.status !== 200) throw new Error(`a key was not resolved: ${first.status} ${text}`);
  const bare = await startBare(import.meta.url, text);
  bindToCores(manager.child.pid, [SERVICE_CORE]);
  bindToCores(bare.child.pid, [SERVICE_CORE]);
  bindToCores(process.pid, [DRIVER_CORE]);

  const target = ({ child, url }) => ({ pid: child.pid, url, headers, connections });
  const requests = bodies.map((body) => ({ method: 'POST', path: PATH, body }));
  const isServed = (result) => result.non2xx === 0;
  const unknown = () => JSON.stringify({ secret_sha256: randomBytes(32).toString('hex') });
  const targets = {
    [BARE]: { ...target(bare), requests, isExpected: isServed },
    cached: { ...target(manager), requests, isExpected: isServed },
    'unknown secret': {
      ...target(manager),
      requests: [{ ...requests[0], setupRequest: (request) => ({ ...request, ...requests[0], body: unknown() }) }],
      isExpected: (result) => result['2xx'] === 0 && result['5xx'] === 0,
    },
  };
  const load = loadavg()[0].toFixed(1);
  const results = await loadInTurns(targets, { core: SERVICE_CORE, rounds, seconds }).finally(() => stop(bare.child));
  console.log(`load average before ${load}, ${connections} connections, ${keys.length} keys`);
  printLoads('Resolve', results, BARE);
  if (process.argv.includes('--check')) checkLoad('cached', results.cached, LIMIT, 'resolutions');
}

/** Returns the value of SEED_USERS. */
function createUsers(issuer) {
  return Array.from({ length: PEOPLE }, (_, n) => ({
    issuer: issuer.name,
    subject: `person-${n}`,
    user_name: `person-${n}`,
    display_name: `Person ${n}`,
  }));
}

/** Creates keys of all users. @returns their secrets */
async function createKeys(url, issuer) {
  const secrets = [];
  for (let person = 0; person < PEOPLE; person += 1) {
    const authorization = `Bearer ${await issuer.token(`person-${person}`)}`;
    for (let n = 0; n < KEYS_EACH; n += 1) {
      const response = await fetch(`${url}/v1/keys`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{}',
      });
      const { secret } = await response.json();
      if (response.status !== 201) throw new Error(`no key was created: ${response.status}`);
      secrets.push(secret);
    }
  }
  return secrets;
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
