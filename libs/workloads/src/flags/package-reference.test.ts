import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { formatPackageReference, getPackageName, parsePackageReference, SCHEMES } from './package-reference.ts';

describe('a package', () => {
  it.each([
    ['uvx', 'mcp-server-time', { scheme: 'uvx', name: 'mcp-server-time', extras: '', version: undefined }],
    ['uvx', 'mcp-server-time@latest', { scheme: 'uvx', name: 'mcp-server-time', extras: '', version: undefined }],
    ['uvx', 'server[cli,x]==1.2.3', { scheme: 'uvx', name: 'server', extras: '[cli,x]', version: '1.2.3' }],
    ['npx', '@scope/pkg@1.2.3', { scheme: 'npx', name: '@scope/pkg', version: '1.2.3' }],
    ['npx', 'pkg@next', { scheme: 'npx', name: 'pkg', version: 'next' }],
    ['go', 'github.com/a/b/cmd/c@v1.2.3', { scheme: 'go', name: 'github.com/a/b/cmd/c', version: 'v1.2.3' }],
    ['go', './server', { scheme: 'go', path: './server' }],
    ['go', '../server', { scheme: 'go', path: '../server' }],
    ['go', '.', { scheme: 'go', path: '.' }],
    ['go', '/srv/server', { scheme: 'go', path: '/srv/server' }],
  ] as const)('%s://%s is read', (scheme, text, expected) => {
    expect(parsePackageReference(scheme, text)).toEqual(expected);
  });

  it.each([
    ['uvx', ''],
    ['uvx', 'a b'],
    ['uvx', 'a@1;rm -rf'],
    ['uvx', '--index-url=http://x'],
    ['uvx', 'git+https://host/x'],
    ['npx', '@scope'],
    ['npx', '-g'],
    ['npx', 'a@1 && id'],
    ['npx', '../x'],
    ['npx', 'a"\nRUN id'],
    ['go', 'server'],
    ['go', 'github.com/../../x'],
    ['go', 'github.com/a@v1 -x'],
    ['go', `github.com/${'a'.repeat(300)}`],
  ] as const)('%s://%s is refused with an example', (scheme, text) => {
    expect(() => parsePackageReference(scheme, text)).toThrow(
      expect.objectContaining({ code: 'usage', tryNext: [expect.stringContaining(`${scheme}://`)] }),
    );
  });

  it('has no character that a Dockerfile, a shell or an option could read', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SCHEMES), fc.string({ unit: 'binary', maxLength: 40 }), (scheme, text) => {
        let reference;
        try {
          reference = parsePackageReference(scheme, text);
        } catch {
          return;
        }
        if ('path' in reference) return;
        expect(formatPackageReference(reference)).toMatch(/^[a-z]+:\/\/[A-Za-z0-9@][A-Za-z0-9@/._~+^!*,[\]-]*$/);
      }),
      { numRuns: 500 * effort },
    );
  });

  it.each([
    ['npx', '@scope/pkg@1.2.3', 'scope-pkg'],
    ['go', 'github.com/a/b@v1', 'github-com-a-b'],
    ['go', './cmd/server', 'cmd-server'],
    ['uvx', 'mcp.server', 'mcp-server'],
  ] as const)('%s://%s names a workload', (scheme, text, name) => {
    expect(getPackageName(parsePackageReference(scheme, text))).toBe(name);
  });
});
