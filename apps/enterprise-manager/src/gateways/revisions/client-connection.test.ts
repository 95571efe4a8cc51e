import { describe, expect, it } from '@jest/globals';
import { Socket } from 'node:net';
import { runWhileConnected } from './client-connection.ts';

const isAborted = (disconnected: AbortSignal) => Promise.resolve(disconnected.aborted);

describe('runWhileConnected', () => {
  it('does not abort while the client is connected', async () => {
    const socket = new Socket();
    expect(await runWhileConnected({ raw: { socket } }, isAborted)).toBe(false);
    expect(socket.listenerCount('close')).toBe(new Socket().listenerCount('close'));
  });

  it('aborts when the client disconnects', async () => {
    const socket = new Socket();
    const work = runWhileConnected(
      { raw: { socket } },
      (disconnected) =>
        new Promise((resolve) => {
          disconnected.addEventListener('abort', () => resolve('ended'));
        }),
    );
    socket.destroy();
    expect(await work).toBe('ended');
  });

  it('aborts at the start if the client has disconnected', async () => {
    const socket = new Socket().destroy();
    expect(await runWhileConnected({ raw: { socket } }, isAborted)).toBe(true);
  });
});
