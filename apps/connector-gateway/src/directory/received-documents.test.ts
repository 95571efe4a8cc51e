import { describe, expect, it } from '@jest/globals';
import { receivedDocuments } from './received-documents.ts';
import { selectUsableParts } from './usable-parts.ts';
import { UNLIMITED_SETTINGS } from '../mcp/ports/gateway-settings.fixture.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const connector = {
  id: ID,
  slug: 'wiki',
  name: 'Wiki',
  endpoint: 'https://wiki.example.com/mcp',
  transport: 'sse',
  auth: { type: 'bearerToken', secrets: { 'bearer_token.token': { id: ID, version: 1 } } },
  allow_private_ips: false,
};
const snapshot = {
  gateway_id: 'local',
  connectors: [connector],
  policies: [{ connector_id: ID, version: 1, document: '' }],
  claim_mapping: { email: 'String' },
  binding_claims: {},
  limits: { batch_calls: 1_000 },
  settings: UNLIMITED_SETTINGS,
};
const connection = {
  connector_id: ID,
  enabled: true,
  tools_enabled_by_default: true,
  tools_exception_list: ['read'],
  updated_at: '2026-01-01T00:00:00Z',
  version: 1,
};
const entitlements = {
  user_id: ID,
  issuer: 'https://id.example.com',
  active: true,
  groups: [ID],
  connections: [connection],
  cleared_connections: [{ connector_id: ID, version: 2 }],
  version: '1',
};

describe('receivedDocuments', () => {
  it.each([
    ['snapshot', snapshot],
    ['entitlements', entitlements],
    ['secret', { value: 'hunter2', version: 1 }],
    ['toolCallReceipts', { results: [{ status: 'stored' }, { status: 'rejected', error: 'tool_name: is invalid' }] }],
    ['connectionStatusReceipts', { results: [{ status: 'stale' }] }],
  ] as const)('accepts a valid %s, with members of a later release', async (name, document) => {
    const later = { ...document, added_later: { list: [1] } };
    expect(await receivedDocuments[name](later)).toBe(later);
  });

  it('accepts a type of authentication that this gateway does not know', async () => {
    const auth = { type: 'addedLater', added_later: { place: 1 } };
    const later = { ...snapshot, connectors: [{ ...connector, auth }] };
    expect((await selectUsableParts(receivedDocuments.snapshot(later))).snapshot.connectors[0]?.auth).toBe(auth);
  });

  it.each([
    ['snapshot', { ...snapshot, policies: undefined }, '/policies'],
    ['snapshot', { ...snapshot, claim_mapping: { email: 'Text' } }, '/claim_mapping'],
    ['snapshot', { ...snapshot, connectors: { 0: connector } }, '/connectors'],
    ['entitlements', { ...entitlements, active: 'true' }, '/active'],
    ['entitlements', { ...entitlements, groups: [ID, null] }, '/groups'],
    ['entitlements', { ...entitlements, connections: [{ ...connection, enabled: 1 }] }, '/connections/0/enabled'],
    ['secret', { value: 1, version: 1 }, '/value'],
    ['toolCallReceipts', { results: [{ status: 'lost' }] }, '/results/0/status'],
    ['connectionStatusReceipts', [], ''],
  ] as const)('names the invalid field of a %s', async (name, document, pointer) => {
    const check = async () => receivedDocuments[name](document);
    await expect(check()).rejects.toMatchObject({ name: 'ContractViolationError', pointer });
  });

  it('does not repeat a secret in its error', async () => {
    const error = await receivedDocuments.secret({ value: 'hunter2', version: 'hunter2' }).catch(String);
    expect(error).toContain('/version');
    expect(error).not.toContain('hunter2');
  });
});
