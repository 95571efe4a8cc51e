import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RpcMessage } from '../json-rpc.ts';
import { Channel, type ChannelEvent, type EventLog } from './channel.ts';

/** A log whose writes the test completes. */
class HeldLog implements EventLog {
  readonly events: ChannelEvent[] = [];
  private readonly held: PromiseWithResolvers<undefined>[] = [];

  append(event: ChannelEvent): Promise<void> {
    this.events.push(event);
    const held = Promise.withResolvers<undefined>();
    this.held.push(held);
    return held.promise;
  }

  async complete(error?: Error): Promise<void> {
    const held = this.held.shift();
    if (error === undefined) held?.resolve(undefined);
    else held?.reject(error);
    await new Promise(setImmediate);
  }
}

/** Serves one response and collects what its client receives. */
async function withResponse(work: (response: ServerResponse, read: () => string) => Promise<void>): Promise<void> {
  let text = '';
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const requested = once(server, 'request');
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [, response] = (await requested) as [unknown, ServerResponse];
  const write = response.write.bind(response);
  response.write = (chunk: unknown) => {
    text += String(chunk);
    return write(chunk);
  };
  await work(response, () => text);
  response.destroy();
  await answer.then(({ body }) => body?.cancel()).catch(() => undefined);
  server.close();
}

const message = (n: number): RpcMessage => ({ jsonrpc: '2.0', method: 'n', params: { n } });
const listIds = (text: string) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);

describe('Channel with a log', () => {
  it('writes each event after it is stored, in order, and ends after the last one', () =>
    withResponse(async (response, read) => {
      const log = new HeldLog();
      const channel = new Channel('p1', false, log);
      channel.attach(response, {});
      for (const n of [1, 2]) channel.send(message(n));
      channel.end();
      expect(listIds(read())).toEqual([]);
      await log.complete();
      expect(listIds(read())).toEqual(['p1.1']);
      expect(response.writableEnded).toBe(false);
      await log.complete();
      expect(listIds(read())).toEqual(['p1.1', 'p1.2']);
      expect(response.writableEnded).toBe(true);
    }));

  it('sends an event that cannot be stored', () =>
    withResponse(async (response, read) => {
      const log = new HeldLog();
      const channel = new Channel('p1', false, log);
      channel.attach(response, {});
      channel.send(message(1));
      await log.complete(new Error('no database'));
      expect(listIds(read())).toEqual(['p1.1']);
    }));

  it('sends the missed events once to a client that resumes', () =>
    withResponse(async (response, read) => {
      const channel = new Channel('p1');
      for (const n of [1, 2, 3]) channel.send(message(n));
      channel.attach(response, {}, 1);
      channel.send(message(4));
      expect(listIds(read())).toEqual(['p1.2', 'p1.3', 'p1.4']);
      await Promise.resolve();
    }));

  it('waits for no log when it keeps the most events', () =>
    withResponse(async (response, read) => {
      const channel = new Channel('p1', false, new HeldLog());
      channel.attach(response, {});
      for (let n = 1; n <= 1_001; n += 1) channel.send(message(n));
      expect(listIds(read())).toEqual(['p1.1']);
      await Promise.resolve();
    }));
});
