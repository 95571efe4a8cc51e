import { describe, expect, it } from '@jest/globals';
import { classifyRedirectUri } from './redirect-uris.ts';

describe('classifyRedirectUri', () => {
  it.each([
    ['https://client.example/callback', 'https'],
    ['https://client.example:8443/callback?a=b', 'https'],
    ['https://client.example:443/callback', 'https'],
    ['http://127.0.0.1/callback', 'loopback'],
    ['http://127.0.0.1:33418/', 'loopback'],
    ['http://localhost:3000/oauth/callback', 'loopback'],
    ['http://[::1]:3000/callback', 'loopback'],
    ['cursor://anysphere.cursor-retrieval/oauth/callback', 'private-use'],
    ['com.example.app:/callback', 'private-use'],
    ['vscode://vscode.github-authentication/did-authenticate', 'private-use'],
  ])('accepts %s as %s', (uri, kind) => {
    expect(classifyRedirectUri(uri)).toBe(kind);
  });

  it.each([
    ['http://client.example/callback'],
    ['http://127.0.0.1.hostile.example/callback'],
    ['http://localhost.hostile.example/callback'],
    ['http://127.0.0.1@hostile.example/callback'],
    ['http://localhost:pass@127.0.0.1/callback'],
    ['http://127.1/callback'],
    ['http://0x7f.0.0.1/callback'],
    ['http://2130706433/callback'],
    ['http://0.0.0.0/callback'],
    ['https://client.example@hostile.example/'],
    ['https://client.example\\@hostile.example/'],
    ['https:\\\\hostile.example/'],
    ['https:/hostile.example/'],
    ['https:hostile.example'],
    ['https:///hostile.example/'],
    ['https://client.example/#fragment'],
    ['https://client.example/#'],
    ['https://client.example./callback'],
    ['https://CLIENT.example/callback'],
    ['https://cliént.example/callback'],
    ['https://client.example/call back'],
    ['https://client.example/call\tback'],
    ['https://client.example/call\nback'],
    [' https://client.example/callback'],
    ['https://client.example/"onload='],
    ['https://client.example/<script>'],
    ['javascript:alert(1)'],
    ['JavaScript:alert(1)'],
    ['data:text/html,x'],
    ['vbscript:x'],
    ['file:///etc/passwd'],
    ['blob:https://client.example/1'],
    ['//client.example/callback'],
    ['/callback'],
    [''],
    [`https://client.example/${'a'.repeat(600)}`],
    [undefined],
    [7],
    [['https://client.example/']],
  ])('refuses %j', (uri) => {
    expect(classifyRedirectUri(uri)).toBeUndefined();
  });
});
