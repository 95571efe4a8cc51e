import { expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Requirement, type RequirementId, requirements } from './scim-requirements.ts';

/** Defines the tests of one part of the requirements. */
export interface Conformance {
  /** Defines a test; its requirements count as verified once it has passed. */
  verify: (ids: RequirementId[], name: string, test: () => Promise<void>) => void;
  /** Defines the last test of the file, which fails if a requirement was not verified. */
  checkComplete: () => void;
}

/** Tracks which requirements of one part were verified by a test that ran. */
export function trackRequirements(part: Requirement['part']): Conformance {
  const verified = new Set<RequirementId>();
  return {
    verify: (ids, name, test) => {
      it(`${name} [${ids.join(', ')}]`, async () => {
        await test();
        for (const id of ids) verified.add(id);
      });
    },
    checkComplete: () => {
      it('has a file for every part and verifies every requirement of this part', () => {
        for (const { part: some } of Object.values(requirements))
          expect([some, existsSync(join(import.meta.dirname, `scim-conformance-${some}.test.ts`))]).toEqual([
            some,
            true,
          ]);
        const wanted = Object.entries(requirements).filter(([, requirement]) => requirement.part === part);
        expect([...verified].toSorted()).toEqual(wanted.map(([id]) => id).toSorted());
      });
    },
  };
}
