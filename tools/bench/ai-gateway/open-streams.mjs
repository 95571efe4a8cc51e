import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readResidentMb } from '../core-share.mjs';
import { createRequest } from '../mcp-connection.mjs';

const OPENED_AT_A_TIME = 50;
/** Time in which V8 collects the garbage of the opening. */
const SETTLE_MS = 10_000;

/**
 * Opens streams that stay open, because the provider pauses between its events.
 * @returns memory in MB before, and with all streams open, and the number of open streams
 */
export async function openStreams({ port, child, headers, model, count }) {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], max_tokens: 64, stream: true });
  const request = createRequest('POST', { port, path: '/v1/chat/completions', headers }, body);
  const before = readResidentMb(child.pid);
  const sockets = [];
  const open = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
      sockets.push(socket);
      socket.once('error', reject);
      let text = '';
      const read = (chunk) => {
        text += chunk.latin1Slice();
        if (!text.includes('data: ')) return;
        socket.off('data', read);
        socket.resume();
        if (text.startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(text.slice(0, 500)));
      };
      socket.on('data', read);
    });
  for (let at = 0; at < count; at += OPENED_AT_A_TIME)
    await Promise.all(Array.from({ length: Math.min(OPENED_AT_A_TIME, count - at) }, open));
  const loaded = readResidentMb(child.pid);
  await sleep(SETTLE_MS);
  const settled = readResidentMb(child.pid);
  const opened = sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.destroy();
  return { before, loaded, settled, opened };
}
