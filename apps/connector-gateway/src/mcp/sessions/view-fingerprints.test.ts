import { describe, expect, it } from '@jest/globals';
import { ViewFingerprints } from './view-fingerprints.ts';

const tool = (description: string) => ({ name: 'a', description, inputSchema: { type: 'object' } });

describe('ViewFingerprints', () => {
  it('gives equal fingerprints to equal lists, also after another fetch', async () => {
    const views = new ViewFingerprints();
    const first = await views.getFingerprint([{ name: 'x__a', definition: tool('one') }]);
    expect(await views.getFingerprint([{ name: 'x__a', definition: tool('one') }])).toBe(first);
  });

  it('distinguishes exposed names, definitions, order and number', async () => {
    const views = new ViewFingerprints();
    const [one, two] = [tool('one'), tool('two')];
    const lists = [
      [],
      [{ name: 'x__a', definition: one }],
      [{ name: 'y__a', definition: one }],
      [{ name: 'x__a', definition: two }],
      [
        { name: 'x__a', definition: one },
        { name: 'y__a', definition: two },
      ],
      [
        { name: 'y__a', definition: two },
        { name: 'x__a', definition: one },
      ],
    ];
    const found = await Promise.all(lists.map((list) => views.getFingerprint(list)));
    expect(new Set(found).size).toBe(lists.length);
  });

  it('reads each definition once for any number of concurrent views', async () => {
    const views = new ViewFingerprints();
    let reads = 0;
    const definition = new Proxy(tool('one'), {
      ownKeys: (target) => {
        reads += 1;
        return Reflect.ownKeys(target);
      },
    });
    await Promise.all(Array.from({ length: 64 }, (_, at) => views.getFingerprint([{ name: `${at}__a`, definition }])));
    expect(reads).toBe(1);
  });

  it('yields to other work while it reads a large list', async () => {
    const views = new ViewFingerprints();
    const entries = Array.from({ length: 40 }, (_, at) => ({ name: `t${at}`, definition: tool('x'.repeat(100_000)) }));
    const state = { done: false };
    const view = views.getFingerprint(entries).finally(() => (state.done = true));
    let turns = 0;
    while (!state.done) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await view;
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('continues after an unreadable definition', async () => {
    const views = new ViewFingerprints();
    const broken = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('unreadable');
        },
      },
    );
    await expect(views.getFingerprint([{ name: 'a', definition: broken }])).rejects.toThrow('unreadable');
    await expect(views.getFingerprint([{ name: 'a', definition: tool('one') }])).resolves.toMatch(/^[0-9a-f]{64}$/);
  });
});
