import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { isTls, ServerNameReader } from './server-name.ts';

/** Records the ClientHello that the TLS client of Node sends. */
async function recordHello(servername: string): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, servername });
  client.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [import('node:net').Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  client.destroy();
  server.close();
  return hello;
}

const read = (parts: Buffer[]) => {
  const reader = new ServerNameReader();
  for (const part of parts) reader.push(part);
  return reader.result;
};

describe('ServerNameReader', () => {
  it('finds the name, also when the bytes arrive one by one', async () => {
    const hello = await recordHello('Api.Example.com');
    expect(isTls(hello)).toBe(true);
    expect(await read([hello])).toEqual({ kind: 'found', name: 'api.example.com' });
    const bytes = Array.from(hello, (byte) => Buffer.from([byte]));
    expect(await read(bytes)).toEqual({ kind: 'found', name: 'api.example.com' });
  });

  it('finds the name in a message that is split over records', async () => {
    const hello = await recordHello('split.example.com');
    const records: Buffer[] = [];
    for (let at = 5; at < hello.length; at += 40) {
      const part = hello.subarray(at, at + 40);
      records.push(Buffer.from([0x16, 3, 1, 0, part.length]), part);
    }
    expect(await read(records)).toEqual({ kind: 'found', name: 'split.example.com' });
  });

  it('finds none in a message without one, in other bytes, and in too many', async () => {
    expect(await read([await recordHello('')])).toEqual({ kind: 'none' });
    expect(await read([Buffer.from([0x16, 3, 1, 0, 4, 9, 0, 0, 0])])).toEqual({ kind: 'none' });
    const incomplete = new ServerNameReader();
    incomplete.push(Buffer.from([0x16, 3, 1]));
    incomplete.end();
    expect(await incomplete.result).toEqual({ kind: 'none' });
    expect(await read([Buffer.from([0x16, 3, 1, 0x40, 0]), Buffer.alloc(100_000, 1)])).toEqual({ kind: 'none' });
  });
});
