import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ClientCall } from './client-call.ts';
import { BridgedCall, ParkedCalls } from './parked-calls.ts';
import { RequestStates } from './request-states.ts';

const user = { issuer: 'https://issuer.test', subject: 'alice', claims: {} };
const createCall = (requestState?: unknown) =>
  ({ user, params: { requestState }, signal: new AbortController().signal }) as unknown as ClientCall;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});

afterEach(() => {
  jest.useRealTimers();
});

describe('ParkedCalls', () => {
  it('ends a call that no client continues within five minutes', async () => {
    const parked = new ParkedCalls(new RequestStates(new Uint8Array(32)), 'replica');
    const bridged = new BridgedCall('alice');
    bridged.start(() => new Promise<never>(() => undefined));
    const answered = bridged.ask('elicitation/create', { message: 'Your name?' });
    expect(await bridged.wait(createCall())).toBeUndefined();
    const { requestState } = await parked.park(createCall(), 'target', bridged);
    jest.advanceTimersByTime(299_000);
    expect([parked.size, bridged.signal.aborted]).toEqual([1, false]);
    jest.advanceTimersByTime(1_000);
    expect([parked.size, bridged.signal.aborted]).toEqual([0, true]);
    await expect(answered).rejects.toThrow('did not answer in time');
    await expect(parked.take(createCall(requestState), 'target')).rejects.toThrow('does not wait for input any more');
  });

  it('takes no state of an upstream for its own', async () => {
    const states = new RequestStates(new Uint8Array(32));
    const parked = new ParkedCalls(states, 'replica');
    const sealed = await states.seal(user, 'target', 'a state');
    expect(await parked.take(createCall(sealed), 'target')).toBeUndefined();
    expect(await parked.take(createCall(), 'target')).toBeUndefined();
  });
});
