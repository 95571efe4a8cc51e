import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from '@gatehouse/testing/cluster';
import { effort } from '@gatehouse/testing/effort';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import fc from 'fast-check';
import { type Labels, parseLabelSelector } from './label-selector.ts';

/** Labels of the objects in the cluster. */
const OBJECTS: Readonly<Record<string, Labels>> = {
  none: {},
  a: { a: 'b', in: 'notin', n: '7' },
  b: { a: '', 'x.y/z': 'B_c.d', n: '007' },
  c: { notin: 'in', n: '9223372036854775808', constructor: 'b' },
  d: { a: 'c', A: 'b', n: 'x7', 'x.y/a': 'b' },
};

const TOKENS = [
  ...['a', 'b', 'c', 'n', 'A', 'in', 'notin', 'x.y/z', 'x.y/a', 'constructor', 'B_c.d'],
  ...['=', '==', '!=', '!', '(', ')', ',', '<', '>', ' ', '  ', '\t', '\n', '\0'],
  ...['1', '7', '007', '-1', '+1', '9223372036854775807', '9223372036854775808', '1.5'],
  ...['-a', 'a-', 'X/y', '/y', 'x/', 'a/b/c', 'é', '\u00a0', '"', '*', '\\', 'a'.repeat(63), 'a'.repeat(64)],
];

/** Requirements that are mostly valid, so that results are compared and not only verdicts. */
const REQUIREMENTS = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '!'), fc.constantFrom('a', 'n', 'x.y/z', 'in', 'constructor'))
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('a', 'A', 'n', 'notin', 'x.y/a', 'constructor'),
      fc.constantFrom('=', '==', '!=', ' = ', '<', '>', ' > '),
      fc.constantFrom('', 'b', 'c', 'in', '6', '8', '007', 'x7'),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('a', 'in', 'x.y/z', 'n'),
      fc.constantFrom(' in ', ' notin ', ' in', '\tnotin\n'),
      fc.array(fc.constantFrom('', 'b', ' c ', 'in', 'notin', '7', 'B_c.d'), { maxLength: 4 }),
    )
    .map(([key, operator, values]) => `${key}${operator}(${values.join(',')})`),
);

const SELECTORS = fc.oneof(
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 9 }).map((tokens) => tokens.join('')),
  fc.array(REQUIREMENTS, { minLength: 1, maxLength: 3 }).map((requirements) => requirements.join(',')),
  fc.string({ maxLength: 12 }),
);

describeWhen(kubernetesPrograms(), 'parseLabelSelector and a real kube-apiserver', (programs) => {
  const path = '/api/v1/namespaces/gatehouse/configmaps';
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    for (const [name, labels] of Object.entries(OBJECTS))
      await cluster.create(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
  }, 90_000);
  afterAll(() => cluster.close());

  async function askServer(selector: string): Promise<string[] | 'refused'> {
    const { status, body } = await cluster.call('GET', `${path}?labelSelector=${encodeURIComponent(selector)}`);
    if (status === 400) return 'refused';
    expect(status).toBe(200);
    const { items } = JSON.parse(body) as { items: { metadata: { name: string } }[] };
    return items.map(({ metadata }) => metadata.name).filter((name) => Object.hasOwn(OBJECTS, name));
  }

  function askParser(selector: string): string[] | 'refused' {
    try {
      const matches = parseLabelSelector(selector);
      const names = Object.keys(OBJECTS).filter((name) => matches(OBJECTS[name] ?? {}));
      return names.sort();
    } catch {
      return 'refused';
    }
  }

  it('give each selector the same verdict and the same result', async () => {
    const seen = { refused: 0, some: 0 };
    await fc.assert(
      fc.asyncProperty(SELECTORS, async (selector) => {
        const expected = await askServer(selector);
        expect(askParser(selector)).toEqual(expected);
        seen[expected === 'refused' ? 'refused' : 'some'] += 1;
      }),
      { numRuns: 600 * effort },
    );
    expect(Math.min(seen.refused, seen.some)).toBeGreaterThan(100);
  }, 600_000);
});
