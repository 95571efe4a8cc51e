import { describe, expect, it } from '@jest/globals';
import { BytesInFlight } from './bytes-in-flight.ts';

describe('the bytes in flight of a person', () => {
  it('are bounded over all requests of the person', () => {
    const bytes = new BytesInFlight(100);
    bytes.of('alice').reserve(60);
    const second = bytes.of('alice');
    expect(() => second.reserve(41)).toThrow('for one person');
    expect(() => second.reserve(40)).not.toThrow();
  });

  it('are counted for each person alone', () => {
    const bytes = new BytesInFlight(100);
    bytes.of('alice').reserve(100);
    expect(() => bytes.of('bob').reserve(100)).not.toThrow();
  });

  it('are free again when a request is released, those of its answer too', () => {
    const bytes = new BytesInFlight(100);
    const request = bytes.of('alice');
    request.reserve(60);
    request.add(500);
    expect(() => bytes.of('alice').reserve(1)).toThrow('wait for answers');
    request.release();
    request.add(-500);
    expect(bytes.size).toBe(0);
    expect(() => bytes.of('alice').reserve(100)).not.toThrow();
  });
});
