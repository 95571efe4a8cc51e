import { describe, expect, it } from '@jest/globals';
import type { ServedBackend } from '../policy/served-routes.ts';
import { orderBackends } from './backend-order.ts';

interface Item {
  readonly served: ServedBackend;
}
const serve = (name: string, { weight = 1, priority = 0 } = {}): Item => ({
  served: {
    backend: { provider: name, weight, priority },
    provider: { name, kind: 'openai', endpoint: 'https://api.example.com' },
  },
});
const allHealthy = { isHealthy: () => true };
const names = (items: readonly Item[]) => items.map(({ served }) => served.provider.name);

describe('the order of backends', () => {
  it('has backends of the lowest priority first', () => {
    const backends = [serve('c', { priority: 2 }), serve('a'), serve('b', { priority: 1 })];
    expect(names(orderBackends(backends, allHealthy, Math.random))).toEqual(['a', 'b', 'c']);
  });

  it('leaves out backends with weight 0', () => {
    const backends = [serve('b', { weight: 0 }), serve('c')];
    expect(names(orderBackends(backends, allHealthy, Math.random))).toEqual(['c']);
  });

  it('has failing providers last', () => {
    const health = { isHealthy: (name: string) => name !== 'a' };
    const backends = [serve('a'), serve('b', { priority: 1 })];
    expect(names(orderBackends(backends, health, Math.random))).toEqual(['b', 'a']);
  });

  it('chooses within a priority by weight', () => {
    let seed = 1;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const backends = [serve('a', { weight: 3 }), serve('b', { weight: 1 })];
    const runs = 10_000;
    const first = Array.from({ length: runs }, () => names(orderBackends(backends, allHealthy, random))[0]);
    const share = first.filter((name) => name === 'a').length / runs;
    expect(share).toBeGreaterThan(0.72);
    expect(share).toBeLessThan(0.78);
  });
});
