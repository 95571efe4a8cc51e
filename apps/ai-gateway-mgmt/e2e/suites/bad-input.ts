import { beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../support/gateway.ts';
import { createPolicy } from '../support/world.ts';
import type { Scene } from '../support/scene.ts';

type Body = Record<string, unknown>;

const NAME = 'bad-input';
const matcher = { claims: { groups: 'staff' } };
const list = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_, at) => item(at));
const claims = (length: number) => Object.fromEntries(list(length, (at) => [`claim${at}`, 'x']));

/** The fields of `spec` that create and patch check alike. */
const BAD_FIELDS: [what: string, spec: Body, field: string][] = [
  ['33 matchers', { principalMatchers: list(33, () => matcher) }, '/spec/principalMatchers'],
  ['no matcher', { principalMatchers: [] }, '/spec/principalMatchers'],
  ['17 claims', { principalMatchers: [{ claims: claims(17) }] }, '/spec/principalMatchers/0/claims'],
  ['a matcher without claims', { principalMatchers: [matcher, {}] }, '/spec/principalMatchers/1/claims'],
  ['an empty set of claims', { principalMatchers: [{ claims: {} }] }, '/spec/principalMatchers/0/claims'],
  [
    'a claim that is a number',
    { principalMatchers: [{ claims: { level: 3 } }] },
    '/spec/principalMatchers/0/claims/level',
  ],
  ['a matcher that is a text', { principalMatchers: ['staff'] }, '/spec/principalMatchers/0'],
  ['matchers that are an object', { principalMatchers: matcher }, '/spec/principalMatchers'],
  ['an unknown field of a matcher', { principalMatchers: [{ ...matcher, x: 1 }] }, '/spec/principalMatchers/0/x'],
  ['a description of 2,049 characters', { description: 'x'.repeat(2_049) }, '/spec/description'],
  ['a description that is a number', { description: 7 }, '/spec/description'],
  ['65 MCP servers', { mcpPolicy: { servers: list(65, (at) => `s${at}`) } }, '/spec/mcpPolicy/servers'],
  ['an MCP policy that is a list', { mcpPolicy: [] }, '/spec/mcpPolicy'],
  ['an unknown field of the MCP policy', { mcpPolicy: { tools: [] } }, '/spec/mcpPolicy/tools'],
  ['an unknown field', { limitUsd: '1' }, '/spec/limitUsd'],
];

/** Further faults of the body of a new policy. */
const BAD_POLICIES: [what: string, body: unknown, field: string][] = [
  ['a list', [], ''],
  ['a text', 'policy', ''],
  ['null', null, ''],
  ['no spec', { metadata: { name: 'x' } }, '/spec'],
  ['no name', { ...createPolicy('x'), metadata: {} }, '/metadata/name'],
  ['no metadata', { spec: createPolicy('x').spec }, '/metadata/name'],
  ['metadata that is a list', { ...createPolicy('x'), metadata: [] }, '/metadata'],
  ...['Not A Name', '-x', 'x-', 'x..y', 'UPPER', '', 'x'.repeat(254), 'ü', 'x_y', 'x/y'].map(
    (name): [string, unknown, string] => [
      `the name ${JSON.stringify(name.slice(0, 12))}`,
      createPolicy(name),
      '/metadata/name',
    ],
  ),
  ['a name that is a number', { ...createPolicy('x'), metadata: { name: 5 } }, '/metadata/name'],
  ['another kind', { ...createPolicy('x'), kind: 'AIGateway' }, '/kind'],
  ['another version', { ...createPolicy('x'), apiVersion: 'gatehouse.dev/v1' }, '/apiVersion'],
  ['an unknown member', { ...createPolicy('x'), extra: 1 }, '/extra'],
  ['unknown metadata', { ...createPolicy('x'), metadata: { name: 'x', color: 'red' } }, '/metadata/color'],
  ['finalizers', { ...createPolicy('x'), metadata: { name: 'x', finalizers: [] } }, '/metadata/finalizers'],
  ['1,001 unknown members', { ...createPolicy('x'), ...claims(1_001) }, ''],
  [
    '1,001 annotations',
    { ...createPolicy('x'), metadata: { name: 'x', annotations: claims(1_001) } },
    '/metadata/annotations',
  ],
  [
    'a label value with a blank',
    { ...createPolicy('x'), metadata: { name: 'x', labels: { a: 'b c' } } },
    '/metadata/labels/a',
  ],
  [
    'a label key with a blank',
    { ...createPolicy('x'), metadata: { name: 'x', labels: { 'a b': 'c' } } },
    '/metadata/labels/a b',
  ],
  [
    'an annotation that is a number',
    { ...createPolicy('x'), metadata: { name: 'x', annotations: { a: 1 } } },
    '/metadata/annotations/a',
  ],
  ['no gatewayRef', { metadata: { name: 'x' }, spec: { principalMatchers: [matcher] } }, '/spec/gatewayRef'],
  ['a gatewayRef that is a text', createBody({ gatewayRef: GATEWAY }), '/spec/gatewayRef'],
  ['a gatewayRef that is no name', createBody({ gatewayRef: { name: 'A B' } }), '/spec/gatewayRef/name'],
  ['a budget without models', createBody({ budgets: [{ name: 'a' }] }), '/spec/budgets/0/models'],
  [
    'money in a budget',
    createBody({ budgets: [{ name: 'a', models: [], limit_usd: '1' }] }),
    '/spec/budgets/0/limit_usd',
  ],
];

/** Members that a patch must not have. */
const BAD_PATCHES: [what: string, body: unknown, field: string][] = [
  ['a list', [], ''],
  ['null', null, ''],
  ['budgets', { spec: { budgets: [] } }, '/spec/budgets'],
  ['a name', { metadata: { name: NAME } }, '/metadata/name'],
  ['labels', { metadata: { labels: { a: 'b' } } }, '/metadata/labels'],
  ['annotations', { metadata: { annotations: null } }, '/metadata/annotations'],
  ['metadata that is a text', { metadata: 'x' }, '/metadata'],
  ['a kind', { kind: 'AIPolicy' }, '/kind'],
  ['a version', { apiVersion: 'gatehouse.dev/v1alpha1' }, '/apiVersion'],
  ['an unknown member', { 'a/b~c': 1 }, '/a~1b~0c'],
  ['a spec that is null', { spec: null }, '/spec'],
  ['a spec that is a list', { spec: [] }, '/spec'],
  ['principalMatchers that are null', { spec: { principalMatchers: null } }, '/spec/principalMatchers'],
];

/** Patches of the field that keeps its first value. */
const GATEWAY_REFS: [what: string, spec: Body][] = [
  ['a gatewayRef', { gatewayRef: { name: 'other' } }],
  ['the same gatewayRef', { gatewayRef: { name: GATEWAY } }],
  ['a gatewayRef that is null', { gatewayRef: null }],
  ['a gatewayRef beside another fault', { gatewayRef: 1, x: 1 }],
];

function createBody(spec: Body): unknown {
  const { metadata, spec: valid } = createPolicy('x');
  return { metadata, spec: { ...valid, ...spec } };
}

/**
 * Defines the tests of bodies that are refused: the code, a pointer to the field, nothing written.
 */
export function describeBadInput(getScene: () => Scene): void {
  const post = (body: unknown) =>
    getScene().first.call('POST /v1/policies', {
      token: getScene().world.tokens.admin,
      raw: { body: JSON.stringify(body) },
    });
  const patch = (body: unknown) =>
    getScene().first.call('PATCH /v1/policies/{name}', {
      token: getScene().world.tokens.policyEditor ?? '',
      path: { name: NAME },
      headers: { 'if-match': '*' },
      raw: { body: JSON.stringify(body) },
    });
  const expectRefusal = async (send: () => ReturnType<typeof post>, field: string, code = 'validation_failed') => {
    const { world } = getScene();
    const before = await world.digest();
    const { status, body } = await send();
    const violation = { field, message: expect.any(String) };
    expect([status, body]).toMatchObject([422, { error: code, violations: expect.arrayContaining([violation]) }]);
    expect(await world.digest()).toBe(before);
  };

  describe('a body that breaks a rule', () => {
    beforeAll(async () => {
      const { status } = await post(createPolicy(NAME));
      expect(status).toBe(201);
    });

    it.each(BAD_FIELDS)('is refused on create: %s', (_, spec, field) =>
      expectRefusal(() => post(createBody(spec)), field),
    );
    it.each(BAD_FIELDS)('is refused on patch: %s', (_, spec, field) => expectRefusal(() => patch({ spec }), field));
    it.each(BAD_POLICIES)('is refused on create: %s', (_, body, field) => expectRefusal(() => post(body), field));
    it.each(BAD_PATCHES)('is refused on patch: %s', (_, body, field) => expectRefusal(() => patch(body), field));
    it.each(GATEWAY_REFS)('is refused on patch: %s', (_, spec) =>
      expectRefusal(() => patch({ spec }), '/spec/gatewayRef', 'immutable_field'),
    );

    it('is 400 when it is missing or no JSON', async () => {
      const { first, world } = getScene();
      const before = await world.digest();
      for (const raw of ['', '{', '{"spec":{},"spec":{}}', '{"a":1}}']) {
        const answers = [
          await first.call('POST /v1/policies', { token: world.tokens.admin, raw: { body: raw } }),
          await first.call('PATCH /v1/policies/{name}', {
            token: world.tokens.admin,
            path: { name: NAME },
            headers: { 'if-match': '*' },
            raw: { body: raw },
          }),
        ];
        for (const { status, body } of answers)
          expect([raw, status, body]).toMatchObject([raw, 400, { error: 'invalid_request' }]);
      }
      expect(await world.digest()).toBe(before);
    });

    it('has an answer that names at most 20 fields', async () => {
      const members = Object.fromEntries(list(900, (at) => [`field${at}`, at]));
      const { gatewayRef } = createPolicy(NAME).spec;
      for (const send of [
        () => post({ ...createPolicy('x'), ...members }),
        () => patch({ ...members, spec: { gatewayRef } }),
      ]) {
        const { status, body } = await send();
        expect([status, (body as { violations: unknown[] }).violations.length]).toEqual([422, 20]);
      }
      expect((await patch({ ...members, spec: { gatewayRef } })).body).toMatchObject({
        error: 'immutable_field',
        violations: expect.arrayContaining([{ field: '/spec/gatewayRef', message: expect.any(String) }]),
      });
    });

    it('is 422 before 409: an invalid policy with the name of another', () =>
      expectRefusal(() => post({ ...createPolicy(NAME), spec: {} }), '/spec/gatewayRef'));
  });
}
