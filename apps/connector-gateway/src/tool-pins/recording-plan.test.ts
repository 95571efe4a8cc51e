import { describe, expect, it } from '@jest/globals';
import { type PendingDefinition, planRecording } from './recording-plan.ts';

const createDefinition = (tool: string, hash = 'new') => ({ tool, hash, text: '{}' });
const createPending = (count: number, create: (at: number) => Partial<PendingDefinition>): PendingDefinition[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `id${at}`,
    tool: `t${at}`,
    superseded: 0,
    isGone: false,
    ...create(at),
  }));

describe('the recording of new definitions', () => {
  it('stores and audits definitions while there is room', () => {
    const plan = planRecording([], [createDefinition('a'), createDefinition('b')]);
    expect(plan).toMatchObject({ removed: [], unrecorded: 0 });
    expect(plan.added).toEqual([
      { ...createDefinition('a'), superseded: 0, isAudited: true },
      { ...createDefinition('b'), superseded: 0, isAudited: true },
    ]);
  });

  it('replaces the longest unseen of five undecided definitions of a tool, without an audit event', () => {
    const pending = createPending(5, (at) => ({ tool: 'a', superseded: at === 0 ? 7 : 0 }));
    const plan = planRecording(pending, [createDefinition('a')]);
    expect(plan).toMatchObject({ removed: ['id0'], unrecorded: 0 });
    expect(plan.added).toMatchObject([{ superseded: 8, isAudited: false }]);
  });

  it('leaves definitions out when a connector has 1,000 undecided ones that are still listed', () => {
    const plan = planRecording(
      createPending(999, () => ({})),
      ['a', 'b', 'c'].map((tool) => createDefinition(tool)),
    );
    expect(plan).toMatchObject({ added: [{ tool: 'a', isAudited: true }], removed: [], unrecorded: 2 });
  });

  it('makes room in a full connector in place of definitions that are gone', () => {
    const pending = createPending(1_000, (at) => ({ isGone: at === 17 }));
    const plan = planRecording(pending, [createDefinition('a'), createDefinition('b')]);
    expect(plan).toMatchObject({
      added: [{ tool: 'a', superseded: 0, isAudited: false }],
      removed: ['id17'],
      unrecorded: 1,
    });
  });
});
