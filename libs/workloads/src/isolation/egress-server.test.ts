import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encode } from 'dns-packet';
import { describeWhen, type Fixture, unavailable } from '@gatehouse/testing/fixture';
import { ConnectionLimit } from './connection-limit.ts';
import { DenialLog } from './denial-log.ts';
import { Dialer } from './dialer.ts';
import { EgressServer } from './egress-server.ts';

/** An address of the egress part, a client of its network, and one of another network. */
const [ADDRESS, CLIENT, STRANGER] = ['127.77.0.14', '127.77.0.2', '127.77.0.18'];
const PORTS_FILE = '/proc/sys/net/ipv4/ip_unprivileged_port_start';

/** Whether this process can listen on port 53 of every loopback address. */
function findLoopback(): Fixture<string> {
  if (process.platform !== 'linux') return unavailable('Only Linux has every address of 127.0.0.0/8.');
  const isAllowed = process.getuid?.() === 0 || Number(readFileSync(PORTS_FILE, 'utf8')) <= 53;
  return isAllowed ? { available: true, value: ADDRESS } : unavailable('This user cannot listen on port 53.');
}

/** Sends text to a port. @returns the first bytes of the answer; undefined when it is closed */
const ask = (port: number, from: string, text: string) =>
  new Promise<string | undefined>((resolve) => {
    const socket = connect({ host: ADDRESS, port, localAddress: from }, () => socket.write(text));
    socket.on('data', (data) => {
      socket.destroy();
      resolve(data.toString('latin1'));
    });
    socket.on('error', () => undefined).on('close', () => resolve(undefined));
  });

describeWhen(findLoopback(), 'the egress part of one network', (address) => {
  const policy = { allowAll: false, hosts: ['allowed.test', 'second.test'], ports: [8_443], allowGateway: false };
  const denials = new DenialLog(() => undefined);
  const around = { gateways: [], machine: [], own: [], networks: [] };
  const dialer = new Dialer(
    policy,
    () => around,
    () => Promise.resolve([]),
    denials,
  );
  const limit = new ConnectionLimit();
  const server = new EgressServer(dialer, { address, network: '127.77.0.0/28' }, denials, limit);
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  it.each([3128, 80, 443, 8_443])('serves only containers of this network on port %i', async (port) => {
    const text = 'GET http://other.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n';
    expect(await ask(port, STRANGER, text)).toBeUndefined();
    expect(await ask(port, CLIENT, text)).toMatch(/^HTTP\/1.1 403/);
  });

  it('answers no query of another network', async () => {
    const query = encode({ type: 'query', id: 7, questions: [{ type: 'A', name: 'allowed.test' }] });
    const framed = Buffer.concat([Buffer.from([0, query.length]), query]).toString('latin1');
    expect(await ask(53, STRANGER, framed)).toBeUndefined();
    const sockets = [STRANGER, CLIENT].map((from) => ({ from, socket: createSocket('udp4') }));
    const answers: string[] = [];
    for (const { from, socket } of sockets) {
      socket.bind(0, from);
      await once(socket, 'listening');
      socket.on('message', () => answers.push(from));
      socket.send(query, 53, ADDRESS);
    }
    // The query of the stranger is sent first.
    await once(sockets[1]!.socket, 'message');
    for (const { socket } of sockets) socket.close();
    expect(answers).toEqual([CLIENT]);
  });
});
