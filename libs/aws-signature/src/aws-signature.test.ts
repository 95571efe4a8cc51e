import { describe, expect, it } from '@jest/globals';
import { signRequest, type UnsignedRequest } from './aws-signature.ts';

// The published vectors of AWS: Signature Version 4 test suite, with normalized paths.
const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: '',
};
const SCOPE = { region: 'us-east-1', service: 'service' };
const TIME = new Date('2015-08-30T12:36:00Z');
const FORM_HASH = '9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e';
const SESSION_TOKEN = '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267';

const createRequest = (
  path: string,
  method: UnsignedRequest['method'] = 'GET',
  headers: string[] = [],
  body?: string,
): UnsignedRequest => ({
  url: new URL(path, 'http://example.amazonaws.com'),
  method,
  headers,
  ...(body !== undefined && { body }),
});

const readSignature = ({ authorization }: Readonly<Record<string, string>>): (string | undefined)[] =>
  /SignedHeaders=(.*), Signature=(.*)$/.exec(authorization ?? '')?.slice(1) ?? [];

describe('signRequest', () => {
  it.each<[string, UnsignedRequest, string, string]>([
    [
      'get-vanilla-query-order-key-case',
      createRequest('/?Param2=value2&Param1=value1'),
      'host;x-amz-date',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'post-vanilla-query',
      createRequest('/?Param1=value1', 'POST'),
      'host;x-amz-date',
      '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
    ],
    [
      'get-unreserved',
      createRequest('/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
      'host;x-amz-date',
      '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
    ],
    [
      'post-x-www-form-urlencoded',
      createRequest(
        '/',
        'POST',
        [
          'content-type',
          'application/x-www-form-urlencoded',
          'content-length',
          '13',
          'x-amz-content-sha256',
          FORM_HASH,
        ],
        'Param1=value1',
      ),
      'content-length;content-type;host;x-amz-content-sha256;x-amz-date',
      'd3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
    ],
  ])('matches the published vector %s', async (_, request, names, signature) => {
    const headers = await signRequest(request, KEYS, SCOPE, TIME);
    expect(readSignature(headers)).toEqual([names, signature]);
    expect(headers['x-amz-date']).toBe('20150830T123600Z');
  });

  it('matches the published vector get-vanilla-with-session-token', async () => {
    const headers = await signRequest(createRequest('/'), { ...KEYS, sessionToken: SESSION_TOKEN }, SCOPE, TIME);
    expect(readSignature(headers)).toEqual([
      'host;x-amz-date;x-amz-security-token',
      '07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8',
    ]);
    expect(headers['x-amz-security-token']).toBe(SESSION_TOKEN);
  });

  it('covers the method, the path, the query, each header and the body', async () => {
    const requests = [
      createRequest('/mcp', 'POST', ['mcp-session-id', 'a'], '{}'),
      createRequest('/mcp', 'DELETE', ['mcp-session-id', 'a'], '{}'),
      createRequest('/other', 'POST', ['mcp-session-id', 'a'], '{}'),
      createRequest('/mcp?a=1', 'POST', ['mcp-session-id', 'a'], '{}'),
      createRequest('/mcp', 'POST', ['mcp-session-id', 'b'], '{}'),
      createRequest('/mcp', 'POST', ['mcp-session-id', 'a'], '{ }'),
    ];
    const signed = await Promise.all(requests.map((request) => signRequest(request, KEYS, SCOPE, TIME)));
    expect(new Set(signed.map((headers) => readSignature(headers)[1])).size).toBe(requests.length);
  });

  it('returns only the headers of the signature', async () => {
    const request = createRequest('/mcp', 'POST', ['Accept', 'a', 'Accept', 'b'], '{}');
    const headers = await signRequest(request, { ...KEYS, sessionToken: 't' }, SCOPE, TIME);
    expect(Object.keys(headers).sort()).toEqual(['authorization', 'x-amz-date', 'x-amz-security-token']);
  });
});
