// A driver with low CPU use, for measurements in which service and driver share the cores: plain
// sockets with one request at a time on each.
import { once } from 'node:events';
import { connect } from 'node:net';
import { quantile } from './statistics.mjs';

const HEAD_END = '\r\n\r\n';

/**
 * Posts JSON in a closed loop on kept connections, until the time is over and all requests are
 * answered.
 * @param makeBody returns the next body, ASCII
 * @param expected the beginning of the body of every response; its status must be 200
 * @returns the number of requests, requests a second, and the 99th percentile of their time in ms
 * @throws {Error} for the first unexpected response or closed connection
 */
export async function closedLoop({ url, path, headers, connections, seconds, makeBody, expected }) {
  const { hostname, port, host } = new URL(url);
  const headerLines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\n${headerLines.join('')}content-length: `;
  const sockets = Array.from({ length: connections }, () => connect({ host: hostname, port, noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const times = [];
  try {
    await Promise.all(sockets.map((socket) => drive(socket, { head, makeBody, expected, end, times })));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const elapsed = (performance.now() - begun) / 1_000;
  return { total: times.length, rate: times.length / elapsed, p99: quantile(times, 0.99) };
}

function drive(socket, { head, makeBody, expected, end, times }) {
  return new Promise((resolve, reject) => {
    let received = '';
    let sentAt;
    const send = () => {
      const body = makeBody();
      sentAt = performance.now();
      socket.write(`${head}${body.length}${HEAD_END}${body}`, 'latin1');
    };
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the service closed a connection')));
    socket.on('data', (text) => {
      received = received === '' ? text : received + text;
      const body = completeBody(received);
      if (body === undefined) return;
      if (!received.startsWith('HTTP/1.1 200 ') || !body.startsWith(expected)) {
        reject(new Error(`unexpected response: ${received}`));
        return;
      }
      received = '';
      const now = performance.now();
      times.push(now - sentAt);
      if (now < end) send();
      else resolve();
    });
    send();
  });
}

/** Returns the body of a response; undefined before it is complete. */
function completeBody(text) {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, headEnd + 2)) ?? [];
  if (length === undefined) throw new Error(`response without content-length: ${text}`);
  const body = text.slice(headEnd + HEAD_END.length);
  return body.length >= Number(length) ? body : undefined;
}
