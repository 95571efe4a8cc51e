import { describe, expect, it } from '@jest/globals';
import { describeRequest, readClient, type KeptRequest } from './request-record.ts';

const create = (body: unknown, fields: Partial<KeptRequest> = {}): KeptRequest => ({
  ...{ at: 0, httpMethod: 'POST', status: 200, durationMs: 1.26, requestBytes: 10, responseBytes: 20 },
  body: body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  userAgent: undefined,
  client: undefined,
  ...fields,
});

describe('describeRequest', () => {
  it('names the tool, and has no argument', () => {
    const params = { name: 'echo', arguments: { message: 'confidential' } };
    expect(describeRequest(create({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      http_method: 'POST',
      method: 'tools/call',
      target: 'echo',
      status: 200,
      duration_ms: 1.3,
      request_bytes: 10,
      response_bytes: 20,
    });
  });

  it('names the client of the session, or of the request', () => {
    const client = { name: 'ide', version: '2' };
    const _meta = { 'io.modelcontextprotocol/clientInfo': client };
    expect(describeRequest(create({ method: 'tools/list', params: { _meta } })).client).toEqual(client);
    expect(describeRequest(create({ method: 'ping' }, { client })).client).toEqual(client);
    expect(describeRequest(create(undefined, { userAgent: 'curl/8' }))).toMatchObject({ user_agent: 'curl/8' });
  });

  it.each([
    [{ id: 1, result: {} }, 'response'],
    [{ method: 7 }, undefined],
    ['no json', undefined],
    ['[]', undefined],
    ['null', undefined],
    [undefined, undefined],
  ])('reads the method of %j', (body, method) => expect(describeRequest(create(body)).method).toBe(method));

  it('cuts long texts of a client', () => {
    const params = { name: 'x'.repeat(5_000) };
    expect(describeRequest(create({ method: 'tools/call', params })).target).toHaveLength(200);
  });
});

describe('readClient', () => {
  it.each([
    [
      { method: 'initialize', params: { clientInfo: { name: 'ide', version: '2' } } },
      { name: 'ide', version: '2' },
    ],
    [
      { method: 'initialize', params: { clientInfo: { name: 7 } } },
      { name: '', version: '' },
    ],
    [{ method: 'initialize' }, undefined],
    [{ method: 'ping', params: { clientInfo: {} } }, undefined],
    ['{', undefined],
  ])('reads %j', (body, expected) => {
    expect(readClient(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))).toEqual(expected);
  });
});
