import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { BytesInFlight } from './bytes-in-flight.ts';
import { sendResponse } from './http-io.ts';

describe('sendResponse with an endless response', () => {
  const send = (signal: AbortSignal) => {
    let cancelled = 0;
    const body = new ReadableStream({
      cancel: () => {
        cancelled += 1;
      },
    });
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const sent = sendResponse(response, new Response(body), signal, new BytesInFlight(0).startRequest('alice'));
    return sent.then(() => cancelled);
  };

  it('cancels the response when the client disconnects', async () => {
    const gone = new AbortController();
    const sent = send(gone.signal);
    gone.abort();
    expect(await sent).toBe(1);
  });

  it('cancels the response when the client has disconnected before', async () => {
    expect(await send(AbortSignal.abort())).toBe(1);
  });
});
