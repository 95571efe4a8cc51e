import 'reflect-metadata';
import {
  EntitledConnectionDto,
  EntitlementsDto,
  ToolCallReceiptDto,
  ToolCallReceiptsDto,
  UsageReportDto,
} from '@gatehouse/contracts-enterprise-manager/dto';
import { describe, expect, it } from '@jest/globals';
import {
  checkReceived,
  checkReceivedDocument,
  checkReceivedFrame,
  checkReceivedItems,
  ContractViolationError,
} from './received.ts';

const ID = '8b1c0c0e-8e0c-4b64-9a2e-1f0c0c0e8e0c';
const connection = {
  connector_id: ID,
  enabled: true,
  tools_enabled_by_default: true,
  tools_exception_list: ['search'],
  updated_at: '2026-01-01T00:00:00Z',
  version: 1,
};
const entitlements = {
  version: '1',
  user_id: ID,
  issuer: 'https://issuer.example',
  subject: 'alice',
  active: true,
  groups: ['developers'],
  connections: [connection],
  cleared_connections: [],
};

const usage = {
  interaction_id: 'interaction',
  attempt: 1,
  event_time: '2026-01-01T00:00:00Z',
  gateway_id: 'local-ai',
  provider: 'openai',
  route: '/v1/responses',
  requested_model: 'gpt-5',
  model: 'gpt-5',
  outcome: 'delivered',
  upstream_status: 200,
  duration_ms: 12,
  raw_usage: null,
};

const catchViolation = (check: () => unknown): ContractViolationError => {
  try {
    check();
  } catch (error) {
    if (error instanceof ContractViolationError) return error;
    throw error;
  }
  throw new Error('the value was accepted');
};

describe('checkReceived', () => {
  it('returns the same object', () => {
    expect(checkReceived(EntitlementsDto, entitlements)).toBe(entitlements);
  });

  it('keeps members that the contract does not name', () => {
    const extended = { ...entitlements, added_later: 1 };
    expect(checkReceived(EntitlementsDto, extended)).toHaveProperty('added_later', 1);
  });

  it.each([
    ['a missing member', { ...entitlements, active: undefined }, '/active'],
    ['a member of another type', { ...entitlements, active: 'yes' }, '/active'],
    ['null for a member that may be absent', { ...entitlements, cleared_connections: null }, '/cleared_connections'],
    ['a wrong item of a list of texts', { ...entitlements, groups: ['a', 5] }, '/groups'],
    [
      'a wrong member of a nested object',
      { ...entitlements, connections: [connection, { ...connection, enabled: 1 }] },
      '/connections/1/enabled',
    ],
    ['a list in place of an object', { ...entitlements, connections: [[]] }, '/connections'],
  ])('names the field of %s', (_, value, pointer) => {
    expect(catchViolation(() => checkReceived(EntitlementsDto, value)).pointer).toMatch(
      new RegExp(`^${pointer}(/0)?$`),
    );
  });

  it.each([[null], [undefined], ['text'], [7], [[]]])('refuses %j where an object belongs', (value) => {
    expect(catchViolation(() => checkReceived(EntitlementsDto, value)).pointer).toBe('');
  });

  it('refuses a text outside of an enumeration', () => {
    expect(catchViolation(() => checkReceived(ToolCallReceiptDto, { status: 'lost' })).pointer).toBe('/status');
  });

  it('never repeats the value in the message', () => {
    const { message } = catchViolation(() =>
      checkReceived(EntitlementsDto, { ...entitlements, issuer: { secret: 's3cr3t' } }),
    );
    expect(message).toContain('/issuer');
    expect(message).not.toContain('s3cr3t');
  });

  it('accepts a member named __proto__ without a change of the prototype', () => {
    const hostile: unknown = JSON.parse(JSON.stringify(entitlements).replace('{', '{"__proto__":{"active":false},'));
    expect(checkReceived(EntitlementsDto, hostile)).toBe(hostile);
    expect(({} as { active?: boolean }).active).toBeUndefined();
  });

  it.each([
    ['a user', { issuer: 'https://issuer.example', subject: 'alice' }],
    ['a key', { virtual_key_id: ID }],
  ])('accepts %s if the contract allows both forms', (_, principal) => {
    const report = { ...usage, principal };
    expect(checkReceived(UsageReportDto, report)).toBe(report);
  });

  it('refuses a value that has none of the forms', () => {
    expect(catchViolation(() => checkReceived(UsageReportDto, { ...usage, principal: { issuer: 1 } })).pointer).toBe(
      '/principal',
    );
  });
});

describe('checkReceivedItems', () => {
  const receipt = { status: 'stored' };

  it('names the item and its field', async () => {
    const check = checkReceivedItems(ToolCallReceiptDto, [receipt, { ...receipt, status: 1 }], '/results');
    await expect(check).rejects.toMatchObject({ pointer: '/results/1/status' });
  });

  it('replaces invalid items by their substitutes', async () => {
    const [first, last] = [{ status: 'stored' }, { status: 'duplicate' }];
    const items = [first, { status: 1 }, null, last];
    const checked = await checkReceivedItems(ToolCallReceiptDto, items, '/results', (value, { pointer }) =>
      value === null ? [] : [pointer],
    );
    expect(checked).toEqual([first, '/results/1/status', last]);
  });

  it('refuses a value that is not a list', async () => {
    await expect(checkReceivedItems(ToolCallReceiptDto, { 0: receipt })).rejects.toMatchObject({ pointer: '' });
  });

  it('yields to the event loop between the items of a long list', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await checkReceivedItems(
      ToolCallReceiptDto,
      Array.from({ length: 20_000 }, () => receipt),
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });
});

describe('checkReceivedFrame', () => {
  it('returns the document without a check of the items of its lists', () => {
    const document = { ...entitlements, connections: [null] };
    expect(checkReceivedFrame(EntitlementsDto, document, ['connections'])).toBe(document);
  });

  it.each([
    ['a field of the document', { ...entitlements, active: 'yes' }, '/active'],
    ['a missing list', { ...entitlements, connections: undefined }, '/connections'],
    ['a list that is an object', { ...entitlements, connections: {} }, '/connections'],
    ['an item of another list', { ...entitlements, cleared_connections: [{}] }, '/cleared_connections/0/connector_id'],
    ['a list instead of the document', [entitlements], ''],
  ])('names %s', (_, document, pointer) => {
    const violation = catchViolation(() => checkReceivedFrame(EntitlementsDto, document, ['connections']));
    expect(violation.pointer).toBe(pointer);
  });
});

describe('checkReceivedDocument', () => {
  const check = (document: unknown) =>
    checkReceivedDocument(EntitlementsDto, document, { connections: EntitledConnectionDto });

  it('returns the same object, with members that the contract does not name', async () => {
    const extended = { ...entitlements, added_later: 1, connections: [{ ...connection, added_later: 2 }] };
    expect(await check(extended)).toBe(extended);
    expect(extended.connections[0]).toHaveProperty('added_later', 2);
  });

  it.each([
    ['a field of the document', { ...entitlements, active: 'yes' }, '/active'],
    ['a missing list', { ...entitlements, connections: undefined }, '/connections'],
    ['a list that is an object', { ...entitlements, connections: {} }, '/connections'],
    [
      'a field of an item',
      { ...entitlements, connections: [connection, { ...connection, enabled: 1 }] },
      '/connections/1/enabled',
    ],
    ['an item that is null', { ...entitlements, connections: [null] }, '/connections/0'],
    ['a list instead of the document', [entitlements], ''],
  ])('names %s', async (_, document, pointer) => {
    await expect(check(document)).rejects.toMatchObject({ name: 'ContractViolationError', pointer });
  });

  it('yields to the event loop between the items of its lists', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const results = Array.from({ length: 20_000 }, () => ({ status: 'stored' }));
    await checkReceivedDocument(ToolCallReceiptsDto, { results }, { results: ToolCallReceiptDto });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });
});
