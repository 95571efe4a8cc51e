import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument, type DocumentedOperation } from '@gatehouse/testing/contract-client';
import { randomUUID } from 'node:crypto';
import { draft, grant, makeAvailable, makeConnector, makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

type ResponseBody = { id: string };

/** The success responses of an operation. */
const listSuccessResponses = ({ responses }: DocumentedOperation) =>
  Object.entries(responses).flatMap(([status, response]) => (Number(status) < 300 ? [response] : []));
const findSchema = (operation: DocumentedOperation): string | undefined =>
  listSuccessResponses(operation)
    .flatMap(({ content }) => Object.values(content ?? {}))
    .map(({ schema }) => (schema as { $ref?: string } | undefined)?.$ref)
    .find((ref) => ref !== undefined);
const hasTag = (operation: DocumentedOperation) =>
  listSuccessResponses(operation).some(({ headers }) => headers?.['ETag']);

describe('the ETag of a write', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const call = <Body = ResponseBody>(
    operation: string,
    options: Parameters<TestManager['client']['call']>[1] = {},
    token = manager.tokens.admin,
  ) => manager.client.call<Body>(operation, { token, ...options });
  const getTag = ({ status, headers }: { status: number; headers: Headers }) => {
    expect(status).toBeLessThan(300);
    return headers.get('etag');
  };

  it('is documented for each object whose read has one', () => {
    const operations = Object.entries(readDocument('enterprise-manager').paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    const reads = operations.filter(({ method, operation }) => method === 'get' && hasTag(operation));
    const schemas = new Set(reads.map(({ operation }) => findSchema(operation)).filter((ref) => ref !== undefined));
    const writes = operations.filter(
      ({ path, method, operation }) =>
        !['get', 'delete'].includes(method) &&
        (reads.some((read) => read.path === path) || schemas.has(findSchema(operation) ?? '')),
    );
    expect(writes.length).toBeGreaterThan(20);
    expect(writes.filter(({ operation }) => !hasTag(operation)).map(({ method, path }) => `${method} ${path}`)).toEqual(
      [],
    );
  });

  it('equals the ETag of the next read of a group, also after changes of members and subgroups', async () => {
    const made = await call('POST /v1/groups', { body: { display_name: `Tagged ${randomUUID()}` } });
    const { id } = made.body;
    const readTag = async () => getTag(await call('GET /v1/groups/{id}', { path: { id } }));
    expect(getTag(made)).toBe(await readTag());
    const member = { path: { group_id: id, user_id: await manager.findUserId('alice') } };
    const child = { path: { group_id: id, child_id: await makeGroup(manager, 'bob') } };
    const writes: [string, object][] = [
      ['PATCH /v1/groups/{id}', { path: { id }, body: { description: 'x' } }],
      ['PUT /v1/groups/{group_id}/users/{user_id}', member],
      ['PUT /v1/groups/{group_id}/subgroups/{child_id}', child],
      ['DELETE /v1/groups/{group_id}/subgroups/{child_id}', child],
      ['DELETE /v1/groups/{group_id}/users/{user_id}', member],
    ];
    const seen = new Set([getTag(made)]);
    for (const [operation, options] of writes) {
      const tag = getTag(await call(operation, options));
      expect([operation, tag]).toEqual([operation, await readTag()]);
      seen.add(tag);
    }
    // The group has its first members again, and another tag.
    expect(seen.size).toBe(1 + writes.length);
  });

  it('equals the ETag of the next read of a connector', async () => {
    const made = await call('POST /v1/gateways/{gateway_id}/connectors', {
      path: { gateway_id: 'local' },
      body: draft(),
    });
    const path = { gateway_id: 'local', id: made.body.id };
    const readTag = async () => getTag(await call('GET /v1/gateways/{gateway_id}/connectors/{id}', { path }));
    expect(getTag(made)).toBe(await readTag());
    const update = await call('PUT /v1/gateways/{gateway_id}/connectors/{id}', { path, body: draft() });
    expect(getTag(update)).toBe(await readTag());
    expect(getTag(update)).not.toBe(getTag(made));
    expect((await makeConnector(manager, draft())).id).not.toBe(made.body.id);
  });

  it('equals the ETag of the next read of metadata', async () => {
    const path = { id: await makeGroup(manager) };
    const put = (value: number) => call('PUT /v1/groups/{id}/metadata', { path, body: { value } });
    for (const value of [1, 1, 2]) {
      const tag = getTag(await put(value));
      expect(tag).toBe(getTag(await call('GET /v1/groups/{id}/metadata', { path })));
    }
  });

  it('equals the ETag of the next read of a connection and guards its writes', async () => {
    const { alice } = manager.tokens;
    const connector = await makeAvailable(manager);
    await grant(manager, connector.id, await makeGroup(manager, 'alice'));
    const callAsOwner = <Body = ResponseBody>(operation: string, options: object) =>
      call<Body>(operation, options, alice);
    const body = { gateway_id: 'local', connector_id: connector.id };
    const made = await callAsOwner('POST /v1/me/connections', { body });
    const path = { id: made.body.id };
    const readTag = async () => getTag(await callAsOwner('GET /v1/me/connections/{id}', { path }));
    const first = getTag(made) ?? '';
    expect(first).toBe(await readTag());
    expect(first).toBe(getTag(await call('GET /v1/connections/{id}', { path })));
    const held = { headers: { 'if-none-match': first } };
    expect((await callAsOwner('GET /v1/me/connections/{id}', { path, ...held })).status).toBe(304);
    expect((await call('GET /v1/connections/{id}', { path, ...held })).status).toBe(304);
    const put = (enabled: boolean, tag: string) =>
      callAsOwner('PUT /v1/me/connections/{id}/enabled', { path, body: { enabled }, headers: { 'if-match': tag } });
    const off = getTag(await put(false, first)) ?? '';
    expect(off).toBe(await readTag());
    expect((await put(true, first)).status).toBe(412);
    const on = getTag(await put(true, off)) ?? '';
    expect([off, first]).not.toContain(on);
    const narrowed = await callAsOwner('PUT /v1/me/connections/{id}/tool-policy', {
      path,
      body: { tools_enabled_by_default: false },
      headers: { 'if-match': on },
    });
    expect(getTag(narrowed)).toBe(await readTag());
    const stale = { path, headers: { 'if-match': on } };
    expect(
      (
        await callAsOwner('PUT /v1/me/connections/{id}/tool-policy', {
          ...stale,
          body: { tools_enabled_by_default: true },
        })
      ).status,
    ).toBe(412);
    expect((await callAsOwner('DELETE /v1/me/connections/{id}', stale)).status).toBe(412);
    const removal = { path, headers: { 'if-match': getTag(narrowed) ?? '' } };
    expect((await callAsOwner('DELETE /v1/me/connections/{id}', removal)).status).toBe(204);
  });
});
