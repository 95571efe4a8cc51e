import { describe, expect, it } from '@jest/globals';
import { createProviderHeaders, selectResponseHeaders } from './provider-headers.ts';

describe('createProviderHeaders', () => {
  it('replaces the credentials of the client, and keeps the versions of Anthropic only', () => {
    const headers = {
      authorization: 'Bearer virtual',
      'x-api-key': 'virtual',
      'x-goog-api-key': 'virtual',
      cookie: 'a=b',
      'anthropic-version': '2026-10-21',
      'openai-organization': 'org',
    };
    expect(createProviderHeaders({ format: 'anthropic', headers, credential: 'real', attemptId: 'call-1' })).toEqual({
      'content-type': 'application/json',
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'gatehouse-ai-gateway',
      'x-client-request-id': 'call-1',
      'anthropic-version': '2026-10-21',
      'x-api-key': 'real',
    });
    expect(
      JSON.stringify(createProviderHeaders({ format: 'openai', headers, credential: undefined, attemptId: 'call-1' })),
    ).not.toContain('virtual');
  });
});

describe('selectResponseHeaders', () => {
  it('returns what SDKs read, and nothing about the account of the provider', () => {
    const read = { 'content-type': 'text/event-stream', 'retry-after-ms': '5', 'request-id': 'req_1' };
    const account = { 'anthropic-organization-id': 'o', 'x-ratelimit-limit-requests': '1', 'set-cookie': ['a=b'] };
    expect(selectResponseHeaders({ ...read, ...account })).toEqual(read);
  });
});
