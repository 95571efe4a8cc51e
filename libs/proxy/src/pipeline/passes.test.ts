import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Exchange } from './exchange.ts';
import type { Pass, PassName, PassResult } from './passes.ts';
import { PASS_ORDER, runPasses, sortPasses } from './passes.ts';

const request = new IncomingMessage(new Socket());
const exchange = new Exchange(request, new ServerResponse(request), '/');

function recording() {
  const seen: string[] = [];
  const pass = (
    name: PassName,
    verdict: PassResult | Promise<PassResult> | (() => never) = 'next',
    handles = false,
  ): Pass => ({
    name,
    enter() {
      seen.push(name);
      return typeof verdict === 'function' ? verdict() : verdict;
    },
    handleError(_exchange, error) {
      seen.push(`${name}: ${(error as Error).message}`);
      return handles;
    },
  });
  return { seen, pass };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('runPasses and sortPasses', () => {
  it('sorts the passes into one order', () => {
    const { pass } = recording();
    const shuffled = PASS_ORDER.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1));
    expect(sortPasses(shuffled.map((name) => pass(name))).map(({ name }) => name)).toEqual(PASS_ORDER);
  });

  it('checks host, origin and caller before it reads the body', () => {
    const at = (name: PassName) => PASS_ORDER.indexOf(name);
    for (const early of ['limits', 'host', 'origin', 'auth'] as const) expect(at(early)).toBeLessThan(at('parse'));
    for (const late of ['authorization', 'tool-filter'] as const) expect(at(late)).toBeGreaterThan(at('parse'));
    expect(at('recover')).toBe(0);
    expect(at('upstream')).toBe(PASS_ORDER.length - 1);
  });

  it('ends at the pass that answers, synchronous or not', async () => {
    for (const verdict of ['done', Promise.resolve('done' as const)] as const) {
      const { seen, pass } = recording();
      runPasses(
        [pass('limits'), pass('origin', Promise.resolve('next')), pass('session', verdict), pass('upstream')],
        exchange,
      );
      await settled();
      expect(seen).toEqual(['limits', 'origin', 'session']);
    }
  });

  it('sends an error back through the same passes until one handles it', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    for (const fault of [broken, Promise.reject<PassResult>(new Error('broken'))]) {
      const { seen, pass } = recording();
      runPasses(
        [
          pass('recover', 'next', true),
          pass('limits', Promise.resolve('next')),
          pass('session', fault),
          pass('upstream'),
        ],
        exchange,
      );
      await settled();
      expect(seen).toEqual(['recover', 'limits', 'session', 'session: broken', 'limits: broken', 'recover: broken']);
    }
  });
});
