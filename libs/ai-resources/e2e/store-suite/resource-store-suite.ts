import { afterEach, beforeEach, describe } from '@jest/globals';
import { defineCreateTests } from './create-tests.ts';
import { defineDeleteTests } from './delete-tests.ts';
import { defineListTests } from './list-tests.ts';
import { definePatchTests } from './patch-tests.ts';
import { defineStatusTests } from './status-tests.ts';
import type { GetStores, TestStores } from './test-stores.ts';
import { defineWatchTests } from './watch-tests.ts';

/**
 * Registers the tests of the behaviour that every ResourceStore has.
 * @param open opens the stores of an empty namespace, for each test
 */
export function describeResourceStore(title: string, open: () => Promise<TestStores>): void {
  describe(title, () => {
    let stores: TestStores;
    beforeEach(async () => {
      stores = await open();
    });
    afterEach(() => stores.close());
    const getStores: GetStores = () => stores;
    describe('create and get', () => defineCreateTests(getStores));
    describe('patch', () => definePatchTests(getStores));
    describe('patch of the status', () => defineStatusTests(getStores));
    describe('delete', () => defineDeleteTests(getStores));
    describe('list', () => defineListTests(getStores));
    describe('watch', () => defineWatchTests(getStores));
  });
}
