// Usage: node tools/bench/body-stalls.mjs [--repeats 3] [--only <part of an operation>] [--check]
// Method and limits: docs/benchmarks.md#hostile-bodies.
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { generateHostileTexts } from './hostile-shapes.mjs';
import { startPlatform } from './local-platform.mjs';

const MIB = 1024 * 1024;
/** Milliseconds. */
const LIMITS = { 413: 20, other: 50 };
/** Bytes of a body around its hostile text. */
const ROOM = 2_048;
const { values: flags } = parseArgs({
  options: { repeats: { type: 'string', default: '3' }, only: { type: 'string' }, check: { type: 'boolean' } },
});

const platform = await startPlatform();
try {
  await measure(platform);
} finally {
  await platform.end();
}

async function measure({ urls, fetchToken }) {
  const admin = await fetchToken({ user: 'admin' });
  const tokens = {
    admin,
    connectors: await fetchToken({ client: 'connector-gateway' }),
    models: await fetchToken({ client: 'ai-gateway' }),
  };
  const scimToken = await createScimToken(urls.enterprise_manager, admin);
  let failed = 0;
  for (const [service, url] of Object.entries(urls)) {
    const document = await fetchDocument(url);
    for (const operation of document ? listOperations(document) : []) {
      const name = `${service} ${operation.method} ${operation.path}`;
      if (flags.only !== undefined && !name.includes(flags.only)) continue;
      const token = operation.isScim ? scimToken : tokens[operation.role];
      let worst = { held: 0 };
      for (const { shape, body } of generateBodies(operation)) {
        const { held, status } = await measureBest(Number(flags.repeats), () =>
          measureStall(url, operation, token, body),
        );
        const limit = status === 413 ? LIMITS[413] : LIMITS.other;
        if (held > worst.held) worst = { held, status, shape };
        if (held > limit) {
          failed += 1;
          console.log(
            `${name}: ${shape} (${body.length} bytes, ${status}) blocks the service for ${held.toFixed(0)} ms`,
          );
        }
      }
      console.log(`${name}: at most ${worst.held.toFixed(0)} ms (${worst.shape}, ${worst.status})`);
    }
  }
  console.log(failed === 0 ? 'all bodies are within the limits' : `${failed} bodies block a service for too long`);
  if (flags.check && failed > 0) process.exitCode = 1;
}

async function fetchDocument(url) {
  try {
    const response = await fetch(`${url}/api/doc/openapi.json`);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** Lists the operations with a JSON body, and the fields of the body. */
function* listOperations(document) {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { requestBody, parameters = [], 'x-roles': roles = [] }] of Object.entries(methods)) {
      const [type] = Object.keys(requestBody?.content ?? {});
      if (type === undefined) continue;
      const isOfGateway = roles.includes('gateway') && !roles.includes('admin');
      yield {
        method: method.toUpperCase(),
        path,
        type,
        fields: Object.keys(getProperties(document, requestBody.content[type].schema)),
        headers: parameters.filter((parameter) => parameter.in === 'header' && parameter.required),
        isScim: path.startsWith('/scim/'),
        role: !isOfGateway ? 'admin' : path.startsWith('/gateway/v1/gateways/') ? 'connectors' : 'models',
      };
    }
}

function getProperties(document, schema = {}) {
  const name = schema.$ref?.split('/').at(-1);
  return (name === undefined ? schema : document.components.schemas[name])?.properties ?? {};
}

function* generateBodies({ fields }) {
  for (const size of [MIB, 8 * MIB])
    for (const { name, text } of generateHostileTexts(size - ROOM)) {
      const megabytes = `${size / MIB} MiB`;
      yield { shape: `${name}, ${megabytes}`, body: Buffer.from(text) };
      for (const field of fields)
        yield { shape: `${field}: ${name}, ${megabytes}`, body: Buffer.from(`{${JSON.stringify(field)}:${text}}`) };
    }
}

async function measureBest(repeats, run) {
  let best;
  for (let left = repeats; left > 0; left -= 1) {
    const result = await run();
    if (best === undefined || result.held < best.held) best = result;
    if (best.held < LIMITS[413]) break;
  }
  return best;
}

/** Sends a body and reads /healthz until the response. @returns the longest time of /healthz */
async function measureStall(url, { method, path, type, headers, isScim }, token, body) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const id = '00000000-0000-4000-8000-000000000000';
  const filled = path.replace(/\{[^}]+\}/g, (part) =>
    isScim && part.includes('issuer') ? 'local' : part === '{gateway_id}' ? 'local' : id,
  );
  const state = { answered: false };
  const response = send(`${url}${filled}`, {
    method,
    headers: {
      'content-type': type,
      'content-length': body.length,
      authorization: `Bearer ${token}`,
      ...Object.fromEntries(headers.map(({ name }) => [name, '*'])),
    },
    body,
  }).finally(() => (state.answered = true));
  let held = 0;
  do {
    const begun = performance.now();
    await send(`${url}/healthz`, { agent });
    held = Math.max(held, performance.now() - begun);
    await sleep(1);
  } while (!state.answered);
  agent.destroy();
  return { held, status: await response };
}

/** @returns the status, also of a response before the end of the body; 0 for a failure */
function send(url, { body, ...options }) {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) => {
      response.resume();
      response.once('close', () => resolve(response.statusCode));
    });
    request.once('error', reject);
    request.end(body);
  }).catch(() => 0);
}

async function createScimToken(url, token) {
  const response = await fetch(`${url}/v1/scim-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issuer_id: 'local', name: `bench ${Date.now()}` }),
  });
  const { secret } = await response.json();
  return secret;
}
