import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createIngress } from './ingress.ts';

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

describe('the way to the port of a server', () => {
  const target = createServer((socket) => socket.end('hello'));
  const servers = [target];
  let port: number;
  beforeAll(async () => {
    port = await listen(target);
  });
  afterAll(() => servers.forEach((server) => server.close()));

  const read = async (accepts: (client: string) => boolean): Promise<string> => {
    const ingress = createIngress({ port, host: '127.0.0.1', isPublished: false }, accepts);
    servers.push(ingress);
    const client = connect(await listen(ingress), '127.0.0.1').setEncoding('utf8');
    let text = '';
    client.on('data', (part) => (text += String(part))).on('error', () => undefined);
    await once(client, 'close');
    return text;
  };

  it('is closed to the servers of other workloads', async () => {
    const asked: string[] = [];
    const accept = (client: string) => asked.push(client) > 0;
    expect([await read(accept), asked]).toEqual(['hello', ['127.0.0.1']]);
    expect(await read(() => false)).toBe('');
  });
});
