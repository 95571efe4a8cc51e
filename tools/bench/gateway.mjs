// Usage: node tools/bench/gateway.mjs [rounds] [--only call|list|search|initialize|sessions|tokens]
// [--clients 1,16,50] [--seconds 3] [--sessions 5000] [--profile] [--skip-vmcp]
// (after `npm run build`)
// Method and goals: docs/benchmarks.md#connector-gateway. Linux only, two cores.
import { execFile, spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { firstLine, stop } from './child-process.mjs';
import { cpuSeconds } from './core-share.mjs';
import { createAddressText, measureColdList } from './gateway/cold-list.mjs';
import { freePort, MEASURED_CORE, OTHER_CORE } from './gateway/measured-process.mjs';
import { beginRun, startPipe } from './gateway/measured-run.mjs';
import { openSessions } from './gateway/open-sessions.mjs';
import { addCredentialConnectors, storeUpstreamToken } from './gateway/own-tokens.mjs';
import { addConnectors, startGateway, startScene } from './gateway/scene.mjs';
import { printColdLists, printInitialize, printLoads, printSessions } from './gateway/tables.mjs';
import { startVmcp } from './gateway/vmcp.mjs';

const AXES = ['call', 'list', 'search', 'initialize', 'sessions', 'tokens'];
const [CALL_UPSTREAMS, LIST_UPSTREAMS, TOOLS_EACH] = [2, 10, 50];
const TOOLS = LIST_UPSTREAMS * TOOLS_EACH;
const [SEARCH_UPSTREAMS, SEARCHABLE_EACH] = [10, 200];
const COLD_SAMPLES = 15;
const [SESSION_USERS, WARM_UP_SECONDS, LIST_CLIENTS] = [100, 1, [1, 16]];
/** Calls before the first measurement, in which V8 compiles the code of the path. */
const COMPILATION = { kind: 'call', clients: 16, seconds: 8 };
const PIPE = 'node:http pipe';
const OF_CONNECTOR = "the connector's token";
/** The users of the connectors with the connector's own token, and with the user's. */
const [SHARED, PERSONAL] = ['shared', 'personal'];
const PROFILES = join(import.meta.dirname, '../../.cache/bench');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    clients: { type: 'string', default: '1,16,50' },
    seconds: { type: 'string', default: '3' },
    sessions: { type: 'string', default: '5000' },
    profile: { type: 'boolean', default: false },
    'skip-vmcp': { type: 'boolean', default: false },
  },
});
const rounds = Number(positionals[0] ?? 1);
const axes = options.only === undefined ? AXES : [options.only];
if (!AXES.includes(axes[0])) throw new Error(`--only is ${options.only}; use one of ${AXES.join(', ')}`);
const run = promisify(execFile);
const here = (...names) => join(import.meta.dirname, ...names);
const bench = beginRun();
const { home } = bench;
try {
  await main();
} finally {
  await bench.end();
}

async function main() {
  console.log(
    `load average ${loadavg()[0].toFixed(1)}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}; core ${MEASURED_CORE}: the measured process; ` +
      `core ${OTHER_CORE}: driver, upstreams, issuer, enterprise manager and both Postgres servers`,
  );
  const ports = await startUpstreams();
  const stage = await prepareStage(ports);
  const { scene, tokens } = stage;
  stage.gateway = await startGateway(scene, options.profile ? { profile: PROFILES } : {});
  const endGateway = () => stop(stage.gateway.child);
  bench.onEnd(endGateway);
  if (options.profile) console.log(`the CPU profile of the gateway is written to ${PROFILES} at the end`);
  await startComparisons(stage, ports);
  for (const axis of axes.filter((one) => one !== 'sessions'))
    await { call, list, search, initialize, tokens: callWithTokens }[axis](stage);
  if (!axes.includes('sessions')) return;
  // A new process shows the memory of the sessions alone.
  if (!options.profile || axes.length > 1) {
    await endGateway();
    stage.gateway = await startGateway(scene);
  }
  const { gateway } = stage;
  const count = Number(options.sessions);
  const users = { tokens: tokens.sessions, tool: `${stage.callers.slugs[0]}__echo` };
  const opened = await openSessions({ ...gateway, ...users, count });
  printSessions(count, opened);
}

/**
 * Starts the upstreams.
 * @returns their ports: of calls, of lists, of one with all tools, of the marker and of searches
 */
async function startUpstreams() {
  const counts = [...Array(CALL_UPSTREAMS).fill(1), ...Array(LIST_UPSTREAMS).fill(TOOLS_EACH), TOOLS, 1];
  const stdio = ['ignore', 'pipe', 'inherit'];
  const searchable = axes.includes('search') ? Array(SEARCH_UPSTREAMS).fill(SEARCHABLE_EACH) : [];
  const args = [here('gateway', 'upstreams.mjs'), counts.join(','), searchable.join(',')];
  const child = spawn(process.execPath, args, { stdio });
  bench.onEnd(() => stop(child));
  const ports = JSON.parse(await firstLine(child));
  const lists = ports.splice(CALL_UPSTREAMS, LIST_UPSTREAMS);
  const [all, marker, ...searches] = ports.splice(CALL_UPSTREAMS);
  return { calls: ports, lists, all, marker, searches };
}

/** Starts the scene with users and connectors for the selected axes. */
async function prepareStage(ports) {
  const createNames = (name, length) => Array.from({ length }, (_, at) => `${name}-${at}`);
  const people = {
    cold: axes.includes('list') ? createNames('cold', COLD_SAMPLES * rounds) : [],
    sessions: axes.includes('sessions') ? createNames('sessions', SESSION_USERS) : [],
  };
  const scene = await startScene({
    home,
    people: ['caller', 'lister', 'searcher', 'marker', SHARED, PERSONAL, ...people.cold, ...people.sessions],
  });
  bench.onEnd(() => scene.end());
  const callers = await addConnectors(scene, {
    name: 'call',
    ports: ports.calls,
    people: ['caller', ...people.sessions],
  });
  const listers = await addConnectors(scene, { name: 'list', ports: ports.lists, people: ['lister', ...people.cold] });
  const credentials = axes.includes('tokens')
    ? await addCredentialConnectors(scene, { port: ports.calls[0], shared: SHARED, personal: PERSONAL })
    : undefined;
  await addConnectors(scene, { name: 'search', ports: ports.searches, people: ['searcher'] });
  const marker = await addConnectors(scene, { name: 'marker', ports: [ports.marker], people: ['marker'] });
  const createTokens = (names) => Promise.all(names.map((name) => scene.issuer.token(name)));
  const subjects = ['caller', 'lister', 'searcher', 'marker', SHARED, PERSONAL];
  const [caller, lister, searcher, ofMarker, shared, personal] = await createTokens(subjects);
  const tokens = {
    caller,
    lister,
    searcher,
    shared,
    personal,
    cold: await createTokens(people.cold),
    sessions: await createTokens(people.sessions),
  };
  return {
    scene,
    tokens,
    callers,
    listers,
    credentials: credentials && { ...credentials, port: ports.calls[0] },
    marker: { connectors: marker, token: ofMarker },
    path: '/mcp',
    answered: 0,
  };
}

/** Starts the pipes, and vMCP where it can be built. */
async function startComparisons(stage, ports) {
  const { scene } = stage;
  stage.pipe = await startPipe(bench, ports.calls[0]);
  stage.listPipe = await startPipe(bench, ports.all);
  if (options['skip-vmcp']) return;
  try {
    for (const [name, upstreamPorts] of [
      ['vmcp', ports.calls],
      ['listVmcp', ports.lists],
    ]) {
      stage[name] = await startVmcp({ home, issuer: scene.issuer, port: await freePort(), upstreamPorts });
      const { child } = stage[name];
      bench.onEnd(() => stop(child));
    }
  } catch (error) {
    console.log(`without vMCP: ${String(error.stderr ?? '') || error.message}`);
    stage.vmcp = stage.listVmcp = undefined;
  }
}

/** Measures targets in turns. @returns by name, the results of all rounds */
async function measureInTurns(stage, targets, job, count = rounds) {
  const results = new Map();
  for (let round = 0; round < count; round += 1)
    for (const [name, { process: measured, ...target }] of targets) {
      if (measured === undefined) continue;
      await waitForQuiet(stage);
      const result = await drive(stage, {
        ...job,
        target: { ...target, port: measured.port, pid: measured.child.pid },
      });
      if (measured === stage.gateway && job.kind === 'call') stage.answered += result.answered;
      results.set(name, [...(results.get(name) ?? []), result]);
    }
  return results;
}

async function drive({ scene }, job) {
  const processes = {
    postgres: scene.postgres.pid,
    manager: scene.manager.child.pid,
    managerPostgres: scene.managerPostgres.pid,
  };
  const seconds = Number(options.seconds);
  const text = JSON.stringify({ seconds, warmUpSeconds: WARM_UP_SECONDS, processes, ...job });
  const { stdout } = await run(process.execPath, [here('gateway', 'driver.mjs'), text]).catch(({ stderr }) => {
    throw new Error(`the driver failed: ${stderr}`);
  });
  return JSON.parse(stdout);
}

/** Waits until the gateway and the manager have finished their work in the background. */
async function waitForQuiet({ scene, gateway }) {
  const read = () => cpuSeconds(gateway.child.pid) + cpuSeconds(scene.manager.child.pid);
  for (let tries = 0; tries < 30; tries += 1) {
    const before = read();
    await sleep(300);
    if (read() - before <= 0.03) return;
  }
}

async function call(stage) {
  const { pipe, vmcp, gateway, callers, tokens } = stage;
  const common = { path: '/mcp', tokens: [tokens.caller] };
  const ours = { ...common, process: gateway, tool: `${callers.slugs[0]}__echo` };
  const targets = [
    [PIPE, { ...common, process: pipe, tool: 'echo' }],
    ['vMCP, OIDC, Cedar, audit', { ...common, process: vmcp, tool: 'b0_echo' }],
    ['connector gateway', ours],
    ['connector gateway, 2026-07-28', { ...ours, isModern: true }],
  ];
  await measureInTurns(stage, targets, COMPILATION, 1);
  for (const clients of options.clients.split(',').map(Number)) {
    const results = await measureInTurns(stage, targets, { kind: 'call', clients });
    printLoads(`tools/call, ${clients} ${clients === 1 ? 'client' : 'clients'}`, results, PIPE);
  }
  await checkRecords(stage);
}

/** Compares calls with the token of a connector and calls with the user's own upstream token. */
async function callWithTokens(stage) {
  const { scene, gateway, credentials, tokens } = stage;
  const { personalId: connectorId, port } = credentials;
  await storeUpstreamToken(scene, { subject: PERSONAL, connectorId, port, keys: scene.keys });
  const createTarget = (slug, token) => ({
    path: `/mcp/${slug}`,
    tokens: [token],
    process: gateway,
    tool: 'echo',
    isModern: true,
  });
  const targets = [
    [OF_CONNECTOR, createTarget(credentials.shared, tokens.shared)],
    ["the user's own token", createTarget(credentials.personal, tokens.personal)],
  ];
  await measureInTurns(stage, targets, COMPILATION, 1);
  for (const clients of options.clients.split(',').map(Number)) {
    const results = await measureInTurns(stage, targets, { kind: 'call', clients });
    printLoads(`tools/call with a token, ${clients} ${clients === 1 ? 'client' : 'clients'}`, results, OF_CONNECTOR);
  }
  await checkRecords(stage);
}

/** Compares the records in the enterprise manager with the answered calls, for at most 30 s. */
async function checkRecords({ scene, answered }) {
  let records;
  for (let tries = 0; tries < 60 && records !== answered; tries += 1) {
    if (tries > 0) await sleep(500);
    records = await scene.countRecords();
  }
  console.log(`\n${answered} calls were answered by the gateway; the enterprise manager has ${records} records`);
  if (records !== answered) process.exitCode = 1;
}

async function list(stage) {
  const { listPipe, listVmcp, gateway, listers, marker, tokens } = stage;
  const cold = [];
  for (const [at, token] of tokens.cold.entries()) {
    stage.path = `/mcp/${at + 1}`;
    const place = { port: gateway.port, token, tools: TOOLS, path: stage.path };
    cold.push(await measureColdList({ ...place, connectors: listers, marker }));
  }
  const common = { path: '/mcp', tokens: [tokens.lister], tools: TOOLS, address: createAddressText('/mcp') };
  const targets = [
    [PIPE, { ...common, process: listPipe }],
    ['vMCP, OIDC, Cedar, audit', { ...common, process: listVmcp }],
    ['connector gateway', { ...common, process: gateway, address: createAddressText(stage.path) }],
  ];
  printColdLists(`tools/list, ${LIST_UPSTREAMS} upstreams with ${TOOLS_EACH} tools, cold`, cold);
  for (const clients of LIST_CLIENTS) {
    const results = await measureInTurns(stage, targets, { kind: 'list', clients });
    printLoads(`tools/list, warm, ${clients} ${clients === 1 ? 'client' : 'clients'}`, results, PIPE);
  }
}

/** Measures `find_tool`. No other target has search. */
async function search(stage) {
  const { gateway, tokens } = stage;
  const tools = SEARCH_UPSTREAMS * SEARCHABLE_EACH;
  const targets = [['connector gateway', { path: '/mcp?mode=search', tokens: [tokens.searcher], process: gateway }]];
  for (const clients of LIST_CLIENTS) {
    const results = await measureInTurns(stage, targets, { kind: 'search', clients });
    printLoads(`find_tool, ${tools} tools, ${clients} ${clients === 1 ? 'client' : 'clients'}`, results);
  }
}

async function initialize(stage) {
  const { listPipe, listVmcp, gateway, tokens } = stage;
  const common = { path: '/mcp', tokens: [tokens.lister] };
  const targets = [
    [PIPE, { ...common, process: listPipe }],
    ['vMCP, OIDC, Cedar, audit', { ...common, process: listVmcp }],
    ['connector gateway', { ...common, process: gateway }],
  ];
  const results = await measureInTurns(stage, targets, { kind: 'initialize', clients: 1 });
  printInitialize(`initialize, ${LIST_UPSTREAMS} upstreams, 1 client`, results);
}
