import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classifyPost } from './classify.ts';
import type { PostedHeaders } from './classify.ts';
import type { JsonObject, RpcNotification, RpcRequest } from './json-rpc.ts';

const MODERN = '2026-07-28';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const headers = (protocolVersion?: string, method?: string, name?: string): PostedHeaders => ({
  protocolVersion,
  method,
  name,
});
const request = (method: string, params?: JsonObject): RpcRequest => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params === undefined ? {} : { params }),
});
const refusal = (head: PostedHeaders, message: RpcRequest | RpcNotification) => {
  const found = classifyPost(head, message);
  return found.era === 'refused' ? found.error : undefined;
};

describe('classifyPost', () => {
  it('returns legacy for every legacy version without modern members', () => {
    for (const version of [undefined, '2024-11-05', '2025-11-25', 'nonsense']) {
      expect(classifyPost(headers(version), request('tools/list'))).toEqual({ era: 'legacy' });
    }
    expect(classifyPost(headers(), request('initialize', { protocolVersion: '2025-11-25' }))).toEqual({
      era: 'legacy',
    });
  });

  it('returns modern when body and headers agree', () => {
    const call = request('tools/call', { name: 'echo', _meta: envelope });
    expect(classifyPost(headers(MODERN, 'tools/call', 'echo'), call)).toEqual({ era: 'modern', revision: MODERN });
    expect(classifyPost(headers(MODERN, 'server/discover'), request('server/discover', { _meta: envelope }))).toEqual({
      era: 'modern',
      revision: MODERN,
    });
  });

  it('compares the decoded Mcp-Name', () => {
    const call = request('tools/call', { name: 'Grüße', _meta: envelope });
    expect(classifyPost(headers(MODERN, 'tools/call', '=?base64?R3LDvMOfZQ==?='), call).era).toBe('modern');
    expect(refusal(headers(MODERN, 'tools/call', '=?base64?%%%?='), call)?.error.code).toBe(-32020);
  });

  it('refuses headers that contradict the body', () => {
    const call = request('tools/call', { name: 'delete', _meta: envelope });
    for (const head of [
      headers(MODERN, 'tools/call', 'read'),
      headers(MODERN, 'tools/list', 'delete'),
      headers(MODERN, 'tools/call'),
      headers(MODERN),
      headers(undefined, 'tools/call', 'delete'),
      headers('2025-11-25', 'tools/call', 'delete'),
    ]) {
      expect(refusal(head, call)).toMatchObject({ id: 1, error: { code: -32020 } });
    }
  });

  it('lists the supported versions for an unsupported one', () => {
    const meta = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    expect(refusal(headers('2099-01-01', 'tools/list'), request('tools/list', { _meta: meta }))).toMatchObject({
      error: { code: -32022, data: { supported: [MODERN], requested: '2099-01-01' } },
    });
  });

  it('refuses a modern request without its required members', () => {
    const version = { 'io.modelcontextprotocol/protocolVersion': MODERN };
    expect(refusal(headers(MODERN, 'tools/list'), request('tools/list'))?.error.code).toBe(-32602);
    expect(refusal(headers(MODERN, 'tools/list'), request('tools/list', { _meta: version }))?.error.code).toBe(-32602);
    const info = { 'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' } };
    expect(refusal(headers(), request('tools/list', { _meta: info }))?.error.code).toBe(-32602);
  });

  it('refuses initialize in a modern version', () => {
    expect(refusal(headers(MODERN), request('initialize'))?.error.code).toBe(-32020);
  });

  it('never throws and never creates an id', () => {
    const text = fc.option(fc.constantFrom(MODERN, '2025-11-25', 'tools/call', '=?base64?', '=?base64??=', ' '), {
      nil: undefined,
    });
    const meta = fc.dictionary(fc.constantFrom(...Object.keys(envelope), 'progressToken'), fc.jsonValue());
    const method = fc.constantFrom('tools/call', 'initialize', 'resources/read', 'constructor');
    fc.assert(
      fc.property(text, text, text, method, meta, fc.boolean(), (version, head, name, called, _meta, notification) => {
        const params = { name: 'a', uri: 'b', _meta };
        const message = notification ? { jsonrpc: '2.0' as const, method: called, params } : request(called, params);
        const found = classifyPost(headers(version, head, name), message);
        if (found.era === 'refused') expect(found.error.id).toBe(notification ? undefined : 1);
      }),
    );
  });
});
