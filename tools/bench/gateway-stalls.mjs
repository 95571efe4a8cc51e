// node tools/bench/gateway-stalls.mjs [--repeats 3] [--only <part of a name>] [--refetch-seconds
// 65] [--check] How long hostile bodies of clients and hostile answers of upstreams hold the
// connector gateway, and the enterprise manager while it checks an endpoint. Measured is the
// longest time in which /healthz of the service does not answer, the best of the repeats. With
// --check the run fails where something within the limits holds the service for more than 50 ms, or
// something beyond the limits for more than 20 ms.
import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startProbe } from './health-probe.mjs';
import { hostileLists, hostileResults, refetchedList } from './hostile-answers.mjs';
import { hostileTextsOf } from './hostile-shapes.mjs';
import { floods, framings, startHostileUpstream } from './hostile-upstream.mjs';
import { startPlatform } from './local-platform.mjs';
import { callTool, clientRequests, initialSession, listTools, post } from './mcp-requests.mjs';

const LIMIT_MS = { within: 50, beyond: 20 };
const MIB = 1024 * 1024;
const ROOM = 2_048;
const SIZES = [60_000, 4 * MIB - ROOM, 8 * MIB];
const PATIENCE_MS = 20_000;
const { values: flags } = parseArgs({
  options: {
    repeats: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    'refetch-seconds': { type: 'string', default: '65' },
    check: { type: 'boolean' },
  },
});

const platform = await startPlatform();
const upstream = await startHostileUpstream();
const probes = [];
const outcome = { measured: 0, tooLong: 0 };
try {
  await measure();
} finally {
  for (const probe of probes) await probe.end();
  upstream.end();
  await platform.end();
}

async function measure() {
  const { urls, tokenOf } = platform;
  const gateway = await probeOf(urls.connector_gateway_control);
  const manager = await probeOf(urls.enterprise_manager);
  const scene = await enrol(urls, { admin: await tokenOf({ user: 'admin' }), alice: await tokenOf({ user: 'alice' }) });
  await measureClients(gateway, scene);
  await measureLists(gateway, scene);
  await measureRefetches(gateway, scene);
  await measureResults(gateway, scene);
  await measureFloods(gateway, scene);
  await measureChecks(manager, scene);
  const { measured, tooLong } = outcome;
  console.log(`${measured} cases, ${tooLong} hold a service for too long`);
  if (measured === 0) throw new Error(`no case has a name with "${flags.only}": look at --only`);
  if (flags.check && tooLong > 0) process.exitCode = 1;
}

async function probeOf(url) {
  const probe = await startProbe(url);
  probes.push(probe);
  return probe;
}

/**
 * Every shape in every kind of message of a client. A body that is refused with 413, or before it
 * was sent, is beyond the limits.
 */
async function measureClients(probe, scene) {
  const connector = await newConnector(scene);
  await untilListed(scene, connector);
  const session = await initialSession(scene);
  for (const { name, make: textOf } of hostileTextsOf(SIZES))
    for (const [kind, make] of Object.entries(clientRequests))
      await report(`client: ${kind}: ${name}`, probe, async (start) => {
        const { slug } = connector;
        const { body, headers } = make({ text: textOf(), tool: `${slug}__only`, slug, session });
        const bytes = Buffer.from(body);
        const answer = await start(() => post(scene, bytes, headers));
        if (kind.startsWith('initialize')) await endSession(scene, answer.headers['mcp-session-id']);
        const isBeyond = answer.status === 413 || answer.status === 0;
        return { isBeyond, says: answer.status };
      });
  await removeConnector(scene, connector);
}

/** Every hostile list, at a connector of its own: a list that was refused is kept for a minute. */
async function measureLists(probe, scene) {
  for (const { name, make } of hostileLists())
    for (const framing of ['JSON', 'event stream'])
      await report(`list of an upstream: ${name}, ${framing}`, probe, async (start) => {
        const connector = await newConnector(scene);
        upstream.answer('tools/list', connector.path, make(), framing);
        const said = await start(async () => {
          await untilListed(scene, connector);
          return await (await callTool(scene, `${connector.slug}__only`)).text();
        });
        await removeConnector(scene, connector);
        return saidByGateway(said);
      });
}

/**
 * Lists that are fetched again: one every few seconds, and one of 15 MB as often as the gateway
 * takes it.
 */
async function measureRefetches(probe, scene) {
  const seconds = Number(flags['refetch-seconds']);
  const [{ make: large }] = hostileLists();
  for (const [name, make] of Object.entries({ 'of 1 MB': refetchedList, 'of 15 MB': large }))
    await report(`list of an upstream: fetched repeatedly, ${name}`, probe, async (start) => {
      const connector = await newConnector(scene);
      upstream.answer('tools/list', connector.path, make());
      await start(async () => {
        const until = performance.now() + seconds * 1_000;
        while (performance.now() < until) {
          await (await listTools(scene)).arrayBuffer();
          await sleep(250);
        }
      });
      const says = `${upstream.seen('tools/list', connector.path)} fetches`;
      await removeConnector(scene, connector);
      return { isBeyond: name === 'of 15 MB', says };
    });
}

/** Every hostile result of a call. A good call after each keeps the breaker closed. */
async function measureResults(probe, scene) {
  const connector = await newConnector(scene);
  await untilListed(scene, connector);
  const tool = `${connector.slug}__only`;
  for (const { name, make } of hostileResults())
    for (const framing of Object.keys(framings))
      await report(`result of an upstream: ${name}, ${framing}`, probe, async (start) => {
        const calls = upstream.seen('tools/call', connector.path);
        upstream.answer('tools/call', connector.path, make(), framing);
        const said = await start(async () => (await callTool(scene, tool)).text());
        if (upstream.seen('tools/call', connector.path) === calls)
          throw new Error(`the gateway did not pass the call on: ${said.slice(0, 500)}`);
        upstream.answer('tools/call', connector.path, undefined);
        await (await callTool(scene, tool)).arrayBuffer();
        return saidByGateway(said);
      });
  await removeConnector(scene, connector);
}

/** Streams that hold next to nothing, before a good result and a good list. */
async function measureFloods(probe, scene) {
  const connector = await newConnector(scene);
  await untilListed(scene, connector);
  const tool = `${connector.slug}__only`;
  const good = '{"content":[{"type":"text","text":"good"}]}';
  for (const name of Object.keys(floods))
    await report(`result of an upstream: 15 MB of ${name}`, probe, async (start) => {
      upstream.answer('tools/call', connector.path, good, name);
      const said = await start(async () => (await callTool(scene, tool)).text());
      upstream.answer('tools/call', connector.path, undefined);
      await (await callTool(scene, tool)).arrayBuffer();
      return saidByGateway(said);
    });
  await removeConnector(scene, connector);
}

/** The check of an endpoint that answers with the same lists. */
async function measureChecks(probe, scene) {
  for (const { name, make } of hostileLists())
    for (const framing of ['JSON', 'event stream'])
      await report(`check of an endpoint: ${name}, ${framing}`, probe, async (start) => {
        const path = `/bad/${(scene.made += 1)}`;
        upstream.answer('tools/list', path, make(), framing);
        const connector = await start(() => createConnector(scene, path));
        await removeConnector(scene, { ...connector, path });
        const message = connector.status_message ?? '';
        return { isBeyond: /more than|longer than/.test(message), says: message || connector.status };
      });
}

/**
 * @param text the answer to a call: it says that a limit was exceeded, or the answer of the
 * upstream was taken
 */
function saidByGateway(text) {
  const excess = /answered with [^."]*/.exec(text)?.[0];
  return { isBeyond: excess !== undefined, says: excess ?? 'taken' };
}

/**
 * Measures one case and prints it.
 * @param run prepares the case, passes the work that is measured to its argument, and returns the
 * outcome
 */
async function report(name, probe, run) {
  if (!name.includes(flags.only)) return;
  let best;
  for (let left = Number(flags.repeats); left > 0 && !(best?.held <= LIMIT_MS.beyond); left -= 1) {
    let held = 0;
    const found = await run(async (work) => {
      const measured = await probe.during(work);
      held = measured.held;
      return measured.result;
    });
    if (best === undefined || held < best.held) best = { held, ...found };
  }
  const limit = best.isBeyond ? LIMIT_MS.beyond : LIMIT_MS.within;
  const isTooLong = best.held > limit;
  outcome.measured += 1;
  if (isTooLong) outcome.tooLong += 1;
  console.log(`${isTooLong ? 'TOO LONG' : 'ok'}\t${best.held.toFixed(0)} ms of ${limit}\t${name} (${best.says})`);
}

async function enrol(urls, tokens) {
  const scene = { urls, tokens, made: 0, mcp: `${urls.connector_gateway}/mcp` };
  const { id } = await api(scene, 'alice', 'GET', '/v1/me');
  const group = await api(scene, 'admin', 'POST', '/v1/groups', { display_name: 'Bench' });
  await api(scene, 'admin', 'PUT', `/v1/groups/${group.id}/users/${id}`);
  return { ...scene, group: group.id };
}

/** A connector with a good answer for the enterprise manager that alice can use. */
async function newConnector(scene) {
  const path = `/good/${(scene.made += 1)}`;
  const connector = await createConnector(scene, path);
  await api(scene, 'admin', 'PUT', `/v1/connectors/${connector.id}/policy/groups`, { group_ids: [scene.group] });
  const connection = { gateway_id: 'local', connector_id: connector.id, enabled: true };
  await api(scene, 'alice', 'POST', '/v1/me/connections', connection);
  return { ...connector, path };
}

function createConnector(scene, path) {
  return api(scene, 'admin', 'POST', '/v1/gateways/local/connectors', {
    name: `bench-${path.split('/').at(-1)}`,
    endpoint: `${upstream.url}${path}`,
    transport: 'streamable-http',
    draft: false,
    allow_private_ips: true,
  });
}

async function removeConnector(scene, { id, path }) {
  await api(scene, 'admin', 'DELETE', `/v1/gateways/local/connectors/${id}`);
  upstream.forget(path);
}

/** Asks for the tools of a connector until its upstream was asked and the answer is there. */
async function untilListed(scene, { slug, path }) {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    await (await listTools(scene, slug)).arrayBuffer();
    if (upstream.seen('tools/list', path) > 0) return void (await (await listTools(scene, slug)).arrayBuffer());
    await sleep(50);
  }
  throw new Error(`the gateway did not ask for the list at ${path} within ${PATIENCE_MS} ms`);
}

async function endSession({ mcp, tokens }, id) {
  if (id === undefined) return;
  await fetch(mcp, { method: 'DELETE', headers: { authorization: `Bearer ${tokens.alice}`, 'mcp-session-id': id } });
}

async function api({ urls, tokens }, user, method, path, body) {
  const answer = await fetch(`${urls.enterprise_manager}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokens[user]}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && method !== 'POST' && { 'if-match': '*' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
