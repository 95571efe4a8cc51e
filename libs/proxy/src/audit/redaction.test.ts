import { describe, expect, it } from '@jest/globals';
import { redact, redactText } from './redaction.ts';

describe('redact', () => {
  it.each([
    'password',
    'dbPasswd',
    'client_secret',
    'Authorization',
    'apiKey',
    'api_key',
    'access_token',
    'accessToken',
    'token',
    'tokens',
    'Cookie',
    'privateKey',
    'credentials',
  ])('hides the value of %s, at any depth', (name) => {
    expect(redact({ a: [{ [name]: { deep: 'canary' } }], [name]: 5 })).toEqual({
      a: [{ [name]: '[REDACTED]' }],
      [name]: '[REDACTED]',
    });
  });

  it('keeps all other values', () => {
    const data = {
      author: 'a',
      key: 'k',
      progressToken: 1,
      maxTokens: 5,
      tokenizer: 'x',
      list: [1, null, true],
      hasPassword: true,
    };
    expect(redact(data)).toEqual(data);
  });
});

describe('redactText', () => {
  it.each([
    'Bearer abcdefghijklmnop',
    'basic dXNlcjpwYXNzd29yZA==',
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'sk-proj-abcdefghijklmnop',
    'ghp_abcdefghijklmnopqrst',
    'AKIAIOSFODNN7EXAMPLE',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
  ])('hides %j in a text', (secret) => {
    expect(redactText(`before ${secret} after`)).toBe('before [REDACTED] after');
  });

  it('hides the password of an address', () => {
    expect(redactText('postgres://user:canary@host/db')).toBe('postgres://user:[REDACTED]@host/db');
  });

  it.each(['token', 'access_token', 'api_key', 'X-Amz-Signature', 'client_secret'])(
    'hides the parameter %s of a URL',
    (name) => {
      expect(redactText(`file://h/a?page=2&${name}=canary&x=1#end`)).toBe(
        `file://h/a?page=2&${name}=[REDACTED]&x=1#end`,
      );
    },
  );

  it('keeps other texts', () => {
    const text = 'The token bearer basically asks https://host:8080/a@b for a sketch.';
    expect(redactText(text)).toBe(text);
  });
});
