import { describe, expect, it } from '@jest/globals';
import { receivedDocuments } from './received-documents.ts';
import { selectUsableParts } from './usable-parts.ts';
import { UNLIMITED_SETTINGS } from '../mcp/ports/gateway-settings.fixture.ts';

const createId = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const connector = (number: number) => ({
  id: createId(number),
  slug: `wiki-${number}`,
  name: 'Wiki',
  endpoint: 'https://wiki.example.com/mcp',
  transport: 'sse',
  auth: { type: 'bearerToken', secrets: { 'bearer_token.token': { id: createId(9), version: 1 } } },
  allow_private_ips: false,
});
const policy = (number: number) => ({ connector_id: createId(number), version: 1, document: '' });

const selectParts = (connectors: readonly unknown[], policies: readonly unknown[] = []) =>
  selectUsableParts(
    receivedDocuments.snapshot({
      gateway_id: 'local',
      connectors,
      policies,
      claim_mapping: {},
      binding_claims: {},
      limits: { batch_calls: 1_000 },
      settings: UNLIMITED_SETTINGS,
    }),
  );

describe('selectUsableParts', () => {
  it('keeps valid connectors and policies as received, with members of a later release', async () => {
    const [later, rule] = [{ ...connector(1), added_later: 1 }, policy(1)];
    const { snapshot, violations } = await selectParts([later], [rule]);
    expect(snapshot.connectors[0]).toBe(later);
    expect(snapshot.policies[0]).toBe(rule);
    expect(violations).toEqual([]);
  });

  it.each([
    ['a path in place of the name of a Secret', { kubernetes_secrets: { 'bearer_token.token': { name: '../x' } } }],
    ['a reference without an id', { secrets: { 'bearer_token.token': {} } }],
    ['references that are a list', { secrets: [] }],
    ['a header without a name', { header_injection: {} }],
  ])('keeps a connector with %s visible but unusable', async (_, settings) => {
    const auth = { type: 'bearerToken', ...settings };
    const { snapshot, violations } = await selectParts([{ ...connector(1), auth }, connector(2)]);
    expect(snapshot.connectors).toEqual([
      { ...connector(1), auth: { type: 'bearerToken' }, violation: expect.any(Error) },
      connector(2),
    ]);
    expect(violations).toEqual([
      { connector: createId(1), problem: expect.stringContaining(`/connectors/0/auth/${Object.keys(settings)[0]}`) },
    ]);
  });

  it.each([
    ['a connector that is null', null, '/connectors/1', undefined],
    ['an endpoint that is a number', { ...connector(1), endpoint: 1 }, '/connectors/1/endpoint', createId(1)],
    ['an unknown transport', { ...connector(1), transport: 'smoke' }, '/connectors/1/transport', createId(1)],
    ['an id that is a number', { ...connector(1), id: 1 }, '/connectors/1/id', undefined],
    ['an authentication without a type', { ...connector(1), auth: {} }, '/connectors/1/auth/type', createId(1)],
    ['no authentication', { ...connector(1), auth: undefined }, '/connectors/1/auth', createId(1)],
  ])('leaves out a connector with %s', async (_, invalid, pointer, id) => {
    const { snapshot, violations } = await selectParts([connector(2), invalid, connector(3)]);
    expect(snapshot.connectors.map(({ slug }) => slug)).toEqual(['wiki-2', 'wiki-3']);
    expect(violations).toEqual([{ connector: id, problem: expect.stringContaining(`${pointer}: `) }]);
  });

  it('leaves out an invalid policy, and keeps the others', async () => {
    const { snapshot, violations } = await selectParts(
      [connector(1), connector(2)],
      [{ ...policy(1), document: 1 }, policy(2)],
    );
    expect(snapshot.connectors).toHaveLength(2);
    expect(snapshot.policies).toEqual([policy(2)]);
    expect(violations).toEqual([
      { connector: createId(1), problem: expect.stringContaining('/policies/0/document: ') },
    ]);
  });
});
