import { expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Requirement, type RequirementId, requirements } from './scim-requirements.ts';

/** The tests of one part of the requirements. */
export interface Conformance {
  /** A test that verifies requirements. They count once it has passed. */
  verifies: (ids: RequirementId[], name: string, test: () => Promise<void>) => void;
  /** The last test of the file: every requirement of the part was verified by a test that ran. */
  complete: () => void;
}

/** Keeps the books on one part of the requirements. */
export function conformance(part: Requirement['part']): Conformance {
  const verified = new Set<RequirementId>();
  return {
    verifies: (ids, name, test) => {
      it(`${name} [${ids.join(', ')}]`, async () => {
        await test();
        for (const id of ids) verified.add(id);
      });
    },
    complete: () => {
      it('every part has a file, and every requirement of this part was verified', () => {
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
