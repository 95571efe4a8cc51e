import { afterEach, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { CallWorld } from './call-world.fixture.ts';

const SIZE = 8 * 1024 * 1024;

/** Sends all of a body before it reads, as a client does whose answer arrives too early. */
async function postWholly(url: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname).pause();
  await once(socket, 'connect');
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: gateway',
    'authorization: Bearer wrong',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  const sent = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]), () => resolve());
  });
  await sent;
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1'))).resume();
  await once(socket, 'close');
  return answer;
}

describe('a refusal before the end of a large body', () => {
  const world = new CallWorld();
  afterEach(() => world.close());

  it('reaches a client that sends the whole body first', async () => {
    await world.open((_request, response) => response.end());
    const answer = await postWholly(world.url, Buffer.alloc(SIZE, ' '));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(answer).toContain('Incorrect API key provided.');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
