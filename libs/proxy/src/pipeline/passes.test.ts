import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Exchange } from './exchange.ts';
import type { Pass, PassName, Verdict } from './passes.ts';
import { inOrder, PASS_ORDER, run } from './passes.ts';

const request = new IncomingMessage(new Socket());
const exchange = new Exchange(request, new ServerResponse(request), '/');

function recording() {
  const seen: string[] = [];
  const pass = (
    name: PassName,
    verdict: Verdict | Promise<Verdict> | (() => never) = 'next',
    handles = false,
  ): Pass => ({
    name,
    enter() {
      seen.push(name);
      return typeof verdict === 'function' ? verdict() : verdict;
    },
    failed(_exchange, error) {
      seen.push(`${name}: ${(error as Error).message}`);
      return handles;
    },
  });
  return { seen, pass };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the chain of passes', () => {
  it('has one order, whatever order its passes are given in', () => {
    const { pass } = recording();
    const shuffled = PASS_ORDER.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1));
    expect(inOrder(shuffled.map((name) => pass(name))).map(({ name }) => name)).toEqual(PASS_ORDER);
  });

  it('checks where a request comes from and who sends it before anything reads its body', () => {
    const at = (name: PassName) => PASS_ORDER.indexOf(name);
    for (const early of ['limits', 'host', 'origin', 'auth'] as const) expect(at(early)).toBeLessThan(at('parse'));
    for (const late of ['authorization', 'tool-filter'] as const) expect(at(late)).toBeGreaterThan(at('parse'));
    expect(at('recover')).toBe(0);
    expect(at('upstream')).toBe(PASS_ORDER.length - 1);
  });

  it('ends at the pass that answers, waiting or not', async () => {
    for (const verdict of ['done', Promise.resolve('done' as const)] as const) {
      const { seen, pass } = recording();
      run(
        [pass('limits'), pass('origin', Promise.resolve('next')), pass('session', verdict), pass('upstream')],
        exchange,
      );
      await settled();
      expect(seen).toEqual(['limits', 'origin', 'session']);
    }
  });

  it('takes an error back through the passes it has been through, until one handles it', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    for (const fault of [broken, Promise.reject<Verdict>(new Error('broken'))]) {
      const { seen, pass } = recording();
      run(
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
