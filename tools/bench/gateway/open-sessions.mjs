import { setTimeout as sleep } from 'node:timers/promises';
import { readResidentMb } from '../core-share.mjs';
import { Connection, createPost, startSession } from '../mcp-connection.mjs';
import { createMessage, isExpected } from './requests.mjs';

const CONNECTIONS = 16;
/** Time in which V8 collects the garbage of an idle process and returns its memory. */
const SETTLE_MS = 30_000;
/** Every session of so many is used again at the end. */
const CHECK_EVERY = 50;

/**
 * Opens sessions that stay open. Each is begun, initialized and used for one call.
 * @param tokens of the users, who share the sessions evenly
 * @returns memory in MB `before`, at the end of the load (`loaded`) and of the then idle process
 * (`after`), `seconds`, and the number of wrong answers
 * @throws {Error} when the gateway ends, such as without memory
 */
export async function openSessions({ port, child, tokens, tool, count }) {
  const state = { port, tokens, message: createMessage('call', { tool }), errors: 0, firstError: undefined };
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port));
  // The first sessions load the code.
  for (let at = 0; at < CONNECTIONS; at += 1) await openSession(state, connections[0], at);
  await sleep(SETTLE_MS);
  const before = readResidentMb(child.pid);
  const begun = performance.now();
  const opened = [];
  const openNext = async (connection) => {
    while (opened.length < count) {
      const at = opened.push(undefined) - 1;
      opened[at] = await openSession(state, connection, at);
    }
  };
  await Promise.all(connections.map(openNext));
  const seconds = (performance.now() - begun) / 1_000;
  const loaded = readResidentMb(child.pid);
  await sleep(SETTLE_MS);
  if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}: ${state.firstError}`);
  const after = readResidentMb(child.pid);
  for (let at = 0; at < count; at += CHECK_EVERY) if (opened[at]) await call(state, connections[0], opened[at]);
  for (const connection of connections) connection.close();
  return { before, loaded, after, seconds, errors: state.errors, firstError: state.firstError };
}

/** @returns the bytes of its call; undefined when no session was begun */
async function openSession(state, connection, at) {
  const { port, tokens, message } = state;
  const headers = `Authorization: Bearer ${tokens[at % tokens.length]}\r\n`;
  try {
    const request = createPost({ port, headers: await startSession(connection, { port, headers }) }, message);
    await call(state, connection, request);
    return request;
  } catch (error) {
    count(state, error);
    return undefined;
  }
}

async function call(state, connection, request) {
  const { head, body } = await connection.send(request);
  if (!head.startsWith('HTTP/1.1 200') || !isExpected('call', {}, body)) count(state, `${head} ${body.slice(0, 500)}`);
}

function count(state, problem) {
  state.errors += 1;
  state.firstError ??= String(problem);
}
