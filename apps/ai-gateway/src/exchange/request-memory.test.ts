import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { CallWorld, type Provider } from './call-world.fixture.ts';
import { RequestMemory } from './request-memory.ts';

const person = (subject: string) => ({ owner: { issuer: 'https://issuer.example.com', subject } });

describe('the memory for the bodies of requests', () => {
  it('gives a person a quarter, with all keys together', () => {
    const memory = new RequestMemory(1_000);
    const [first, second] = [memory.open(person('alice')), memory.open(person('alice'))];
    first.take(200);
    expect(() => second.take(51)).toThrow(expect.objectContaining({ failure: 'rate_limited' }));
    memory.open(person('bob')).take(250);
    first.close();
    second.take(250);
    expect(memory.usedBytes).toBe(500);
  });

  it('lets a person with one call exceed the quarter', () => {
    const body = new RequestMemory(1_000).open(person('alice'));
    for (let at = 0; at < 9; at += 1) body.take(100);
    expect(() => body.take(101)).toThrow(expect.objectContaining({ failure: 'unavailable' }));
  });

  it('is free again after each call is closed', () => {
    const memory = new RequestMemory(1_000);
    const bodies = ['alice', 'bob', 'carol', 'dave'].map((name) => memory.open(person(name)));
    for (const body of bodies) body.take(250);
    for (const body of bodies) body.close();
    for (const body of bodies) body.close();
    expect(memory.usedBytes).toBe(0);
  });
});

describe('a model call with a large body', () => {
  const world = new CallWorld();
  afterEach(() => world.close());

  it('is refused while other calls of the person hold the memory', async () => {
    const answers: (() => void)[] = [];
    const provider: Provider = (_request, response) => answers.push(() => response.end('{}'));
    await world.open(provider);
    const large = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(400_000) }] };
    const first = world.post(large);
    await eventually(() => answers.length === 1, 'the provider has the first call');
    const second = await world.post(large);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    answers[0]?.();
    expect((await first).status).toBe(200);
    await eventually(() => world.memory.usedBytes === 0, 'the memory is free');
  });
});
