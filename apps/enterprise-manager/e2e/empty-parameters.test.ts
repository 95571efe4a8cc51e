import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from '@gatehouse/testing/contract-client';
import type { RunningService, Sample } from '@gatehouse/testing/contract-runner';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { createSamples } from './samples.ts';

/** Parameters of lists that can be empty. An empty one is the same as a missing one. */
const EMPTY_IS_NONE = /^(?:search|(?:\w+_)?(?:cursor|before))$/;

const lists = Object.entries(readDocument('enterprise-manager').paths).flatMap(([path, { get }]) => {
  const names = (get?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
  const found = names.filter((name) => EMPTY_IS_NONE.test(name));
  return get === undefined || found.length === 0 ? [] : [{ operation: `GET ${path}`, names: found }];
});

describe('an empty parameter of a list', () => {
  let manager: TestManager;
  const samples: Record<string, Sample> = createSamples(() => manager);
  beforeAll(async () => {
    manager = await startManager({ discoverable: true });
  }, 60_000);
  afterAll(() => manager.close());

  it('is tested in more than 20 lists', () => {
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.flatMap(({ names }) => names)).toEqual(expect.arrayContaining(['search', 'users_before']));
  });

  it.each(lists)('has the same response as a missing one: $operation ($names)', async ({ operation, names }) => {
    const { admin, alice } = manager.tokens;
    const sample = await samples[operation]?.({} as RunningService);
    const token = /\/(?:me|own)(?:\/|$)/.test(operation) ? alice : admin;
    const requestList = (query: object) =>
      manager.client.call(operation, { token, ...sample, query: { ...sample?.query, ...query } });
    const plain = await requestList({});
    expect(plain.status).toBe(200);
    const empty = await requestList(Object.fromEntries(names.map((name) => [name, ''])));
    expect([empty.status, Object.keys(empty.body as object)]).toEqual([200, Object.keys(plain.body as object)]);
  });
});
