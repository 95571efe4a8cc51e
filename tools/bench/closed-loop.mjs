// A driver that costs little beside what it drives, for measurements in which both share their
// cores: plain sockets, one request at a time on each, every answer looked at.
import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';

/**
 * Posts JSON on kept connections, the next as soon as the last was answered, until the time is
 * over; what is under way then is waited for.
 * @param bodyOf the next body, ASCII
 * @param expected how the body of every answer begins; its status must be 200
 * @returns requests a second and the 99th percentile of their time in milliseconds
 * @throws for the first answer that is another, and for a connection that ends
 */
export async function closedLoop({ url, path, headers, connections, seconds, bodyOf, expected }) {
  const { hostname, port, host } = new URL(url);
  const given = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\n${given.join('')}content-length: `;
  const sockets = Array.from({ length: connections }, () => connect({ host: hostname, port, noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const times = [];
  try {
    await Promise.all(sockets.map((socket) => drive(socket, { head, bodyOf, expected, end, times })));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const passed = (performance.now() - begun) / 1_000;
  times.sort((one, other) => one - other);
  return { total: times.length, rate: times.length / passed, p99: times[Math.floor(times.length * 0.99)] };
}

function drive(socket, { head, bodyOf, expected, end, times }) {
  return new Promise((resolve, reject) => {
    let received = '';
    let sentAt;
    const send = () => {
      const body = bodyOf();
      sentAt = performance.now();
      socket.write(`${head}${body.length}${HEAD_END}${body}`, 'latin1');
    };
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the service ended a connection')));
    socket.on('data', (text) => {
      received = received === '' ? text : received + text;
      const body = completeBody(received);
      if (body === undefined) return;
      if (!received.startsWith('HTTP/1.1 200 ') || !body.startsWith(expected)) {
        reject(new Error(`another answer than expected: ${received}`));
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

/** The body of an answer once all of it is there. */
function completeBody(text) {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, headEnd + 2)) ?? [];
  if (length === undefined) throw new Error(`an answer without a length: ${text}`);
  const body = text.slice(headEnd + HEAD_END.length);
  return body.length >= Number(length) ? body : undefined;
}
