import { describe, expect, it } from '@jest/globals';
import { ResponseDetector, waitForResponse } from './response-detector.ts';

const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"roots/list"}\n';
const RESULT = '{"jsonrpc":"2.0","id":0,"result":{}}\n';
const ERROR = '{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"no"}}\n';
const never = new Promise(() => undefined);
const running = new AbortController().signal;

describe('waitForResponse', () => {
  it.each([
    ['a result', [RESULT]],
    ['an error', [ERROR]],
    ['a result in parts', [RESULT.slice(0, 20), RESULT.slice(20)]],
    ['a result after a request and a line of text', [REQUEST, 'starting\n', RESULT]],
  ])('finds %s', async (_, parts) => {
    const detector = new ResponseDetector();
    for (const part of parts) detector.push(Buffer.from(part));
    expect(await waitForResponse(detector, never, 60_000, running)).toBe(true);
  });

  it('returns false when the process ends before a response', async () => {
    const detector = new ResponseDetector();
    detector.push(Buffer.from(REQUEST));
    expect(await waitForResponse(detector, Promise.resolve(), 60_000, running)).toBe(false);
  });

  it('throws when no response arrives in time', async () => {
    const late = waitForResponse(new ResponseDetector(), never, 1, running);
    await expect(late).rejects.toThrow('it does not answer initialize on its standard output');
  });

  it('ends at the abort', async () => {
    const ended = waitForResponse(new ResponseDetector(), never, 60_000, AbortSignal.abort());
    await expect(ended).rejects.toThrow('The operation was aborted');
  });
});
