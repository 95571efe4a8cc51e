import { describe, expect, it } from '@jest/globals';
import { boundedFetch } from './bounded-fetch.ts';

const streaming = (chunks: readonly string[], contentType: string) =>
  boundedFetch(
    () => Promise.resolve(new Response(new Blob([...chunks]).stream(), { headers: { 'content-type': contentType } })),
    100,
  );

describe('a bounded fetch', () => {
  it('cuts off a plain answer that is too large', async () => {
    const response = await streaming(['x'.repeat(60), 'x'.repeat(60)], 'application/json')('http://upstream.test');
    await expect(response.text()).rejects.toThrow('more than 100 bytes');
  });

  it('lets an event stream go on for ever, event by event', async () => {
    const events = Array.from({ length: 50 }, () => 'data: {"some":"thing"}\n\n');
    const response = await streaming(events, 'text/event-stream')('http://upstream.test');
    expect(await response.text()).toBe(events.join(''));
  });

  it('cuts off an event that is too large, however it is cut into lines', async () => {
    const response = await streaming(
      Array.from({ length: 10 }, () => 'data: 0123456789\r\n'),
      'text/event-stream',
    )('http://upstream.test');
    await expect(response.text()).rejects.toThrow('more than 100 bytes');
  });
});
