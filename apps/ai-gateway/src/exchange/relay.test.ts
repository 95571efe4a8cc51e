import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ModelRequest } from '../formats/model-request.ts';
import type { ResponseReader } from '../formats/response-reader.ts';
import type { BodyReceiver, ProviderResponse } from '../upstream/provider-request.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import { ClientResponse } from './client-response.ts';
import { DrainSlots } from './drain-slots.ts';
import { Relay, type RelayOutcome, type RelayParts } from './relay.ts';

/** A client that records what it receives. */
class FakeClient extends EventEmitter {
  readonly written: string[] = [];
  headersSent = false;
  destroyed = false;
  writableFinished = false;
  isSlow = false;

  get writableNeedDrain(): boolean {
    return this.isSlow;
  }

  writeHead(): void {
    this.headersSent = true;
  }

  write(chunk: Uint8Array): boolean {
    this.written.push(Buffer.from(chunk).toString());
    return !this.isSlow;
  }

  end(chunk?: Uint8Array | string): void {
    if (chunk !== undefined) this.written.push(Buffer.from(chunk as Uint8Array).toString());
    this.written.push('<end>');
    this.writableFinished = true;
    this.emit('close');
  }

  destroy(): void {
    this.destroyed = true;
    this.written.push('<cut>');
    this.emit('close');
  }
}

/** A reader for which the text `done` completes the answer. */
function createReader(): ResponseReader {
  const report = {
    usage: undefined,
    isComplete: false,
    failure: undefined,
    outputBytes: 0,
    model: undefined,
    responseId: undefined,
    finishReasons: [],
  };
  return {
    report,
    push: (chunk) => {
      report.isComplete ||= Buffer.from(chunk).includes('done');
      return chunk;
    },
    end: () => undefined,
  };
}

function setUp({
  isStream = true,
  slots = 1,
  review,
}: { isStream?: boolean; slots?: number; review?: RelayParts['review'] } = {}) {
  const client = new FakeClient();
  const settled: RelayOutcome[] = [];
  const settling = Promise.withResolvers<undefined>();
  const provider = { paused: 0, aborted: undefined as Error | undefined };
  let receiver: BodyReceiver | undefined;
  const response: ProviderResponse = {
    status: 200,
    headers: {},
    receive: (given) => (receiver = given),
    pause: () => (provider.paused += 1),
    resume: () => (provider.paused -= 1),
    abort: (reason) => {
      provider.aborted = reason;
      receiver?.onError(reason);
    },
  };
  const wrapped = new ClientResponse(client as unknown as ServerResponse, () => relay.handleClientGone());
  wrapped.prepare(200, {});
  const relay = new Relay({
    provider: response,
    client: wrapped,
    reader: createReader(),
    request: { isStream } as ModelRequest,
    errors: {
      writeError: () => ({ status: 502, headers: {}, body: '' }),
      writeStreamError: (error) => `error: ${error.message}`,
    },
    drains: new DrainSlots({ slots, longestMs: 30_000 }),
    review,
    settle: (outcome) => {
      settled.push(outcome);
      return settling.promise;
    },
    onTerminal: () => undefined,
  });
  const done = relay.run();
  const send = (text: string) => receiver?.onData(Buffer.from(text));
  return {
    client,
    provider,
    relay,
    done,
    send,
    settled,
    settling,
    end: () => receiver?.onEnd(),
    receiver: () => receiver,
  };
}

describe('a relay of a stream', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('passes each part on at once, and the last one after the usage is recorded', async () => {
    const { client, send, settled, settling, done } = setUp();
    send('a');
    send('done');
    expect([client.written, settled]).toEqual([['a'], ['delivered']]);
    settling.resolve(undefined);
    await done;
    expect(client.written).toEqual(['a', 'done', '<end>']);
  });

  it('does not wait for the end of the connection after the last part', async () => {
    const { provider, send, settling, done } = setUp();
    send('done');
    settling.resolve(undefined);
    await done;
    jest.advanceTimersByTime(2_000);
    expect(provider.aborted?.message).toBe('the response was complete');
  });

  it('writes the parts that arrive together at once', async () => {
    const { client, send } = setUp();
    for (const part of ['a', 'b', 'c']) send(part);
    await Promise.resolve();
    expect(client.written).toEqual(['a', 'bc']);
  });

  it('waits for a slow client', () => {
    const { client, provider, send } = setUp();
    client.isSlow = true;
    send('a');
    send('b');
    expect(provider.paused).toBe(1);
    client.emit('drain');
    expect(provider.paused).toBe(0);
  });

  it('reads on for the usage when the client disconnects', async () => {
    const { client, provider, send, settled, settling, done } = setUp();
    send('a');
    client.destroy();
    send('b');
    expect([provider.aborted, settled]).toEqual([undefined, []]);
    send('done');
    settling.resolve(undefined);
    await done;
    expect(settled).toEqual(['client_disconnect']);
    expect(client.written).toEqual(['a', '<cut>', '<cut>']);
  });

  it('reads on for a client that disconnects while it is slow', () => {
    const { client, provider, send } = setUp();
    client.isSlow = true;
    send('a');
    client.destroy();
    expect(provider.paused).toBe(0);
  });

  it('stops the provider when it takes too long after the disconnect', async () => {
    const { client, provider, settled, settling, done } = setUp();
    client.destroy();
    jest.advanceTimersByTime(30_000);
    settling.resolve(undefined);
    await done;
    expect(settled).toEqual(['client_disconnect']);
    expect(provider.aborted?.message).toBe('the client has disconnected');
  });

  it('stops the provider at once when too many responses are read on', async () => {
    const { client, provider, settled, settling, done } = setUp({ slots: 0 });
    client.destroy();
    settling.resolve(undefined);
    await done;
    expect([settled, provider.aborted?.message]).toEqual([['client_disconnect'], 'the client has disconnected']);
  });

  it('is delivered when the client disconnects after the last part', async () => {
    const { client, send, settled, settling, done } = setUp();
    send('done');
    client.destroy();
    settling.resolve(undefined);
    await done;
    expect(settled).toEqual(['delivered']);
  });

  it('ends with an error event when the connection to the provider breaks', async () => {
    const { client, send, settled, settling, done, receiver } = setUp();
    send('a');
    receiver()?.onError(new Error('reset'));
    settling.resolve(undefined);
    await done;
    expect(settled).toEqual(['upstream_error']);
    expect(client.written).toEqual(['a', 'error: The provider ended its response early.', '<end>']);
  });

  it('is an error of the provider when it ends without its last part', async () => {
    const { client, send, end, settled, settling, done } = setUp();
    send('a');
    end();
    settling.resolve(undefined);
    await done;
    expect([settled, client.written]).toEqual([['upstream_error'], ['a', '<end>']]);
  });

  it('never looks complete when the usage cannot be recorded', async () => {
    const { client, send, settling, done } = setUp();
    send('a');
    send('done');
    settling.reject(new Error('disk full'));
    await done;
    expect(client.written).toEqual(['a', '<cut>']);
  });
});

describe('a relay of a document', () => {
  it('keeps its last part until the usage is recorded', async () => {
    const { client, send, end, settling, done } = setUp({ isStream: false });
    send('a');
    send('done');
    end();
    expect(client.written).toEqual(['a']);
    settling.resolve(undefined);
    await done;
    expect(client.written).toEqual(['a', 'done', '<end>']);
  });

  it('fails with an error when the client has no byte yet', async () => {
    const { client, send, settling, done, receiver } = setUp({ isStream: false });
    send('a');
    receiver()?.onError(new Error('reset'));
    settling.resolve(undefined);
    await expect(done).rejects.toThrow('The provider ended its response early.');
    expect(client.written).toEqual([]);
  });

  it('is cut when the client has a part of it', async () => {
    const { client, send, settling, done, receiver } = setUp({ isStream: false });
    send('a');
    send('b');
    receiver()?.onError(new Error('reset'));
    settling.resolve(undefined);
    await done;
    expect(client.written).toEqual(['a', '<cut>']);
  });
});

describe.each([true, false])('a relay with a review, of a stream: %s', (isStream) => {
  const setUpReview = (review: NonNullable<RelayParts['review']>) => {
    const parts = setUp({ isStream, review });
    parts.settling.resolve(undefined);
    return parts;
  };
  const refuse = () => Promise.reject(new ModelCallError('denied', 'The answer is not permitted.'));

  it('sends what the review returns, after the whole answer', async () => {
    const seen: string[] = [];
    const { client, send, end, done, settled } = setUpReview((bytes) => {
      seen.push(bytes.toString());
      return Promise.resolve(Buffer.from('reviewed'));
    });
    send('a');
    expect(client.written).toEqual([]);
    send('done');
    end();
    await done;
    expect([seen, settled, client.written]).toEqual([['adone'], ['delivered'], ['reviewed', '<end>']]);
  });

  it('withholds an answer that the review refuses, and records its usage', async () => {
    const { client, send, end, done, settled } = setUpReview(refuse);
    send('done');
    end();
    await expect(done).rejects.toMatchObject({ failure: 'denied', message: 'The answer is not permitted.' });
    expect([settled, client.written]).toEqual([['blocked_downstream'], []]);
  });

  it('withholds an answer whose review fails', async () => {
    const { send, end, done, settled } = setUpReview(() => Promise.reject(new TypeError('a bug')));
    send('done');
    end();
    await expect(done).rejects.toMatchObject({ failure: 'denied', reason: 'guardrail_failed' });
    expect(settled).toEqual(['blocked_downstream']);
  });

  it('withholds an answer that is too large for a review, and reads it for its usage', async () => {
    const { client, send, end, done, settled } = setUpReview(() => Promise.reject(new Error('must not be called')));
    const part = 'x'.repeat(1024 * 1024);
    for (let at = 0; at < 33; at += 1) send(part);
    send('done');
    end();
    await expect(done).rejects.toMatchObject({ reason: 'answer_too_large_for_guardrails' });
    expect([settled, client.written]).toEqual([['blocked_downstream'], []]);
  });

  it('sends nothing of an answer that the provider cuts', async () => {
    const { client, send, receiver, done, settled } = setUpReview((bytes) => Promise.resolve(bytes));
    send('a');
    receiver()?.onError(new Error('the connection was reset'));
    await expect(done).rejects.toMatchObject({ failure: 'provider_error' });
    expect([settled, client.written]).toEqual([['upstream_error'], []]);
  });

  it('does not review an answer whose client has disconnected', async () => {
    const { client, send, end, done, settled } = setUpReview(refuse);
    send('a');
    client.destroy();
    send('done');
    end();
    await done;
    expect(settled).toEqual(['client_disconnect']);
  });
});

describe('a relay with a review', () => {
  it('sends nothing of a stream that ends before its last part', async () => {
    const { client, send, end, done, settled, settling } = setUp({ review: (bytes) => Promise.resolve(bytes) });
    settling.resolve(undefined);
    send('a');
    end();
    await expect(done).rejects.toMatchObject({ failure: 'provider_error' });
    expect([settled, client.written]).toEqual([['upstream_error'], []]);
  });
});
