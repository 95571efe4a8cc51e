import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decode, encode, type Packet, RECURSION_DESIRED, type RecordType, streamEncode } from 'dns-packet';
import { DenialLog } from './denial-log.ts';
import { answerQuery, DnsFilter } from './dns-filter.ts';

const POLICY = { allowAll: false, hosts: ['.example.com'], ports: [], allowGateway: false };
const query = (name: string, type: RecordType = 'A', more: Partial<Packet> = {}): Packet => ({
  type: 'query',
  id: 7,
  flags: RECURSION_DESIRED,
  questions: [{ name, type }],
  ...more,
});
const answer = (packet: Packet) => {
  // Decoding adds the class, as it is on the wire.
  const { flags = 0, answers, questions } = answerQuery(POLICY, () => '10.0.0.14', decode(encode(packet)));
  return { code: flags & 15, answers, questions: questions?.length };
};

/**
 * Creates a message in which each name, type and class is a pointer to the one before. Decoding it
 * takes a time that grows with the square of its length.
 */
function createChain(questions: number): Buffer {
  const message = Buffer.alloc(17 + 6 * questions);
  message.writeUInt16BE(questions + 1, 4);
  message.writeUInt16BE(1, 13);
  message.writeUInt16BE(1, 15);
  for (let at = 17; at < message.length; at += 2) message.writeUInt16BE(0xc000 | (at === 17 ? 12 : at - 2), at);
  return message;
}

/** Finds a port that is free on TCP and UDP. The ports of tests are reserved by their UDP port. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the DNS filter', () => {
  it('answers an allowed name with its own address, and with nothing for other types', () => {
    const allowed = { code: 0, questions: 1 };
    const record = expect.objectContaining({ type: 'A', name: 'API.example.com', data: '10.0.0.14' });
    expect(answer(query('API.example.com'))).toEqual({ ...allowed, answers: [record] });
    for (const type of ['AAAA', 'TXT', 'MX', 'NULL', 'HTTPS', 'ANY'] as RecordType[])
      expect(answer(query('example.com', type))).toEqual({ ...allowed, answers: [] });
  });

  it('answers other names with the code of a missing name', () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.evil.test`;
    for (const name of ['evil.test', long, 'example.com.evil.test', 'host.docker.internal', ''])
      for (const type of ['A', 'AAAA', 'TXT', 'PTR'] as RecordType[])
        expect(answer(query(name, type))).toMatchObject({ code: 3, answers: [] });
  });

  it('refuses several questions, none, and other operations', () => {
    const questions = [
      { name: 'example.com', type: 'A' as const },
      { name: 'evil.test', type: 'A' as const },
    ];
    expect(answer(query('', 'A', { questions }))).toMatchObject({ code: 5 });
    expect(answer(query('', 'A', { questions: [] }))).toMatchObject({ code: 5 });
    expect(answer(query('example.com', 'A', { flags: 2 << 11 }))).toMatchObject({ code: 5 });
  });

  describe('on the network', () => {
    let lines: string[];
    let filter: DnsFilter;
    beforeEach(async () => {
      lines = [];
      filter = new DnsFilter(POLICY, '127.0.0.1', new DenialLog((line) => lines.push(line)));
      await filter.listen(await findPort());
    });
    afterEach(() => filter.close());

    it('survives garbage, answers, and logs a refused name once', async () => {
      const client = createSocket('udp4');
      const ask = async (bytes: Buffer) => {
        client.send(bytes, filter.port, '127.0.0.1');
        const [message] = (await once(client, 'message')) as [Buffer];
        return decode(message);
      };
      for (const garbage of [Buffer.alloc(1), Buffer.alloc(600, 255), encode({ ...query('a.test'), type: 'response' })])
        client.send(garbage, filter.port, '127.0.0.1');
      expect((await ask(encode(query('example.com')))).answers).toHaveLength(1);
      await ask(encode(query('evil.test')));
      await ask(encode(query('evil.test')));
      expect(lines).toEqual(['denied DNS name evil.test (host is not in the permission profile)']);
      client.close();
    });

    it('reads no message whose names point at each other', async () => {
      const chain = createChain(600);
      const client = createSocket('udp4').unref();
      client.send(chain, filter.port, '127.0.0.1');
      client.send(encode(query('example.com')), filter.port, '127.0.0.1');
      const [message] = (await once(client, 'message')) as [Buffer];
      expect(decode(message).answers).toHaveLength(1);
      client.close();
      const stream = connect(filter.port, '127.0.0.1');
      const received: Buffer[] = [];
      stream.on('data', (data: Buffer) => received.push(data));
      stream.write(Buffer.concat([Buffer.from([chain.length >> 8, chain.length & 255]), chain]));
      await once(stream, 'close');
      expect(received).toEqual([]);
    });

    it('ends a TCP connection that asks and never reads', async () => {
      const client = connect(filter.port, '127.0.0.1').pause();
      client.on('error', () => undefined);
      const queries = Buffer.concat(Array.from({ length: 2_000 }, () => streamEncode(query('example.com'))));
      const closed = new Promise((settle) => client.once('close', settle));
      const timer = setInterval(() => client.destroyed || client.write(queries), 5).unref();
      await closed;
      clearInterval(timer);
    });
  });
});
