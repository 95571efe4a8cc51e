import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../mcp-connection.mjs';
import { createMessage, createModernRequest, isExpected } from './requests.mjs';

const ADOPTION_DEADLINE_MS = 30_000;

/** Returns the part of every description that shows the address of the upstream. */
export const createAddressText = (path) => `Address ${path}`;

/**
 * Measures the first list of a user that is new to the gateway, after the endpoints of all
 * connectors have changed: rights, connections and lists are fetched. Every tool of the list shows
 * the new address, so no part of it was kept.
 * @param marker a connector that changes after the others: its list shows when the gateway has the
 * change
 * @returns the milliseconds of one request
 * @throws {Error} for a wrong list
 */
export async function measureColdList({ port, token, tools, path, connectors, marker }) {
  await connectors.setAddress(path);
  await marker.connectors.setAddress(path);
  const address = createAddressText(path);
  await waitForList({ port, path: `/mcp/${marker.connectors.slugs[0]}`, token: marker.token, tools: 1, address });
  const connection = new Connection(port);
  const request = createListRequest({ port, path: '/mcp', token });
  const begun = performance.now();
  const { head, body } = await connection.send(request);
  const ms = performance.now() - begun;
  connection.close();
  if (!head.startsWith('HTTP/1.1 200') || !isExpected('list', { tools, address }, body))
    throw new Error(`a wrong list: ${head} ${body.slice(0, 500)}`);
  return ms;
}

async function waitForList({ tools, address, ...place }) {
  const connection = new Connection(place.port);
  const request = createListRequest(place);
  const deadline = performance.now() + ADOPTION_DEADLINE_MS;
  for (;;) {
    const { body } = await connection.send(request);
    if (isExpected('list', { tools, address }, body)) return connection.close();
    if (performance.now() > deadline) throw new Error(`the gateway has no list with "${address}": ${body}`);
    await sleep(20);
  }
}

const createListRequest = ({ port, path, token }) =>
  createModernRequest({ port, path, headers: `Authorization: Bearer ${token}\r\n` }, createMessage('list', {}));
