import { describe, expect, it } from '@jest/globals';
import { BytesInFlight } from './bytes-in-flight.ts';

describe('BytesInFlight', () => {
  it('limits the bytes of all requests of a user together', () => {
    const bytes = new BytesInFlight(100, 0);
    bytes.startRequest('alice').reserve(60);
    const second = bytes.startRequest('alice');
    expect(() => second.reserve(41)).toThrow('for one user');
    expect(() => second.reserve(40)).not.toThrow();
  });

  it('counts each user separately', () => {
    const bytes = new BytesInFlight(100, 0);
    bytes.startRequest('alice').reserve(100);
    expect(() => bytes.startRequest('bob').reserve(100)).not.toThrow();
  });

  it('counts the bytes of a call that continues after its response', () => {
    const bytes = new BytesInFlight(100, 0);
    const request = bytes.startRequest('alice');
    request.reserve(60);
    const end = request.retain();
    request.release();
    request.release();
    expect(() => bytes.startRequest('alice').reserve(41)).toThrow('for one user');
    end();
    end();
    expect(bytes.size).toBe(0);
  });

  it('limits the requests of a user, also those without a body', () => {
    const bytes = new BytesInFlight(100, 40);
    const first = bytes.startRequest('alice');
    bytes.startRequest('alice').reserve(20);
    expect(() => bytes.startRequest('alice')).toThrow('for one user');
    first.release();
    expect(() => bytes.startRequest('alice')).not.toThrow();
  });

  it('releases the bytes of a request and its response', () => {
    const bytes = new BytesInFlight(100, 0);
    const request = bytes.startRequest('alice');
    request.reserve(60);
    request.add(500);
    expect(() => bytes.startRequest('alice').reserve(1)).toThrow('wait for responses');
    request.release();
    request.add(-500);
    expect(bytes.size).toBe(0);
    expect(() => bytes.startRequest('alice').reserve(100)).not.toThrow();
  });
});
