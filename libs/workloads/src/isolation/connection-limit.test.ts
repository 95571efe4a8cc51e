import { Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ConnectionLimit } from './connection-limit.ts';

describe('the connections of one workload', () => {
  it('are 512 at the same time in all of its networks', async () => {
    const limit = new ConnectionLimit();
    const clients = Array.from({ length: 512 }, () => new Socket());
    expect(clients.every((client) => limit.admit(client))).toBe(true);
    const late = new Socket();
    expect([limit.admit(late), late.destroyed]).toEqual([false, true]);
    const [first] = clients;
    first?.destroy();
    await once(first!, 'close');
    expect([limit.admit(new Socket()), limit.admit(new Socket())]).toEqual([true, false]);
  });
});
