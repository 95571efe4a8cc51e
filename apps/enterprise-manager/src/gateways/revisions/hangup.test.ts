import { describe, expect, it } from '@jest/globals';
import { Socket } from 'node:net';
import { whileConnected } from './hangup.ts';

const aborted = (gone: AbortSignal) => Promise.resolve(gone.aborted);

describe('work for a client', () => {
  it('goes on while the client is there', async () => {
    const socket = new Socket();
    expect(await whileConnected({ raw: { socket } }, aborted)).toBe(false);
    expect(socket.listenerCount('close')).toBe(new Socket().listenerCount('close'));
  });

  it('ends when the client leaves', async () => {
    const socket = new Socket();
    const work = whileConnected(
      { raw: { socket } },
      (gone) =>
        new Promise((resolve) => {
          gone.addEventListener('abort', () => resolve('ended'));
        }),
    );
    socket.destroy();
    expect(await work).toBe('ended');
  });

  it('does not begin to wait for a client that left before it', async () => {
    const socket = new Socket().destroy();
    expect(await whileConnected({ raw: { socket } }, aborted)).toBe(true);
  });
});
