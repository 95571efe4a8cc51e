// Usage: node driver.mjs '{ "target": …, "clients": …, "seconds": …, "warmUpSeconds": …, … }'
// Sends one kind of request in a closed loop, in its own process, and prints one JSON object. Each
// client has one connection and, in a protocol revision with sessions, one session. Every answer
// is checked; wrong ones are counted.
import { busySeconds, cpuSeconds, readResidentMb, serverSeconds } from '../core-share.mjs';
import {
  Connection,
  createInitialize,
  createPost,
  createRequest,
  createSessionHeaders,
  startSession,
} from '../mcp-connection.mjs';
import { quantile } from '../statistics.mjs';
import { createMessages, createModernRequest, isExpected } from './requests.mjs';

const job = JSON.parse(process.argv[2]);
const { target, kind, clients, seconds, warmUpSeconds } = job;
const { port, path, tokens, pid } = target;
/** A failing target ends its measurement after this number of wrong answers. */
const MAX_ERRORS = 1_000;

/**
 * @returns `send`, which sends one request and returns its time and a wrong answer, and `end`,
 * which ends the session, since their number is limited
 */
async function openClient(at) {
  const connection = new Connection(port);
  const place = { port, path, headers: `Authorization: Bearer ${tokens[at % tokens.length]}\r\n` };
  const end = () => undefined;
  if (kind === 'initialize') return { send: () => beginAndEndSession(connection, place), end };
  const messages = createMessages(kind, target);
  let turn = at;
  const sendNext = (requests) => exchange(connection, requests[(turn += 1) % requests.length]);
  if (target.isModern) {
    const requests = messages.map((message) => createModernRequest(place, message));
    return { send: () => sendNext(requests), end };
  }
  const session = { ...place, headers: await startSession(connection, place) };
  const requests = messages.map((message) => createPost(session, message));
  return {
    send: () => sendNext(requests),
    end: () => connection.send(createRequest('DELETE', session)),
  };
}

async function exchange(connection, request) {
  const begun = performance.now();
  const { head, body } = await connection.send(request);
  const ms = performance.now() - begun;
  const isGood = head.startsWith('HTTP/1.1 200') && isExpected(kind, target, body);
  return { ms, head, ...(!isGood && { wrong: `${head} ${body.slice(0, 500)}` }) };
}

/** Measures `initialize` alone. The session ends afterwards, since their number is limited. */
async function beginAndEndSession(connection, place) {
  const measured = await exchange(connection, createInitialize(place));
  if (measured.wrong !== undefined) return measured;
  const headers = `${place.headers}${createSessionHeaders(measured.head)}`;
  await connection.send(createPost({ ...place, headers }, { method: 'notifications/initialized' }));
  await connection.send(createRequest('DELETE', { ...place, headers }));
  return measured;
}

async function drive(client, until, results) {
  while (performance.now() < until) {
    const { ms, wrong } = await client.send();
    if (wrong === undefined) results.times.push(ms);
    else {
      results.errors += 1;
      results.firstError ??= wrong;
      if (results.errors > MAX_ERRORS) return;
    }
  }
}

async function load(all, forSeconds) {
  const results = { times: [], errors: 0, firstError: undefined };
  const until = performance.now() + forSeconds * 1_000;
  await Promise.all(all.map((client) => drive(client, until, results)));
  return results;
}

/**
 * Returns CPU seconds: of the target, the gateway's Postgres, the manager with its Postgres, and of
 * both cores.
 */
function readUsage() {
  const { postgres, manager, managerPostgres } = job.processes;
  return [
    cpuSeconds(pid),
    serverSeconds(postgres),
    cpuSeconds(manager) + serverSeconds(managerPostgres),
    busySeconds([0]),
    busySeconds([1]),
  ];
}

const all = await Promise.all(Array.from({ length: clients }, (_, at) => openClient(at)));
const warmUp = await load(all, warmUpSeconds);
const [before, begun] = [readUsage(), performance.now()];
const { times, errors, firstError } = await load(all, seconds);
const elapsed = (performance.now() - begun) / 1_000;
const [own, postgres, manager, core0, core1] = readUsage().map((value, at) => value - before[at]);
await Promise.all(all.map((client) => client.end()));
const micros = (used) => (used / times.length) * 1e6;
console.log(
  JSON.stringify({
    rate: times.length / elapsed,
    answered: warmUp.times.length + times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    micros: micros(own),
    postgresMicros: micros(postgres),
    managerMicros: micros(manager),
    others: Math.max(0, core0 - own) / elapsed,
    core1: core1 / elapsed,
    rss: readResidentMb(pid),
    errors,
    firstError,
  }),
);
process.exit(0);
