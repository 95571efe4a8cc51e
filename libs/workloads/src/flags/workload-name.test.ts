import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isWorkloadName, getImageName, sanitizeName } from './workload-name.ts';

describe('getImageName and sanitizeName', () => {
  it.each([
    ['alpine', 'alpine'],
    ['ghcr.io/github/github-mcp-server:v1.0', 'github-github-mcp-server'],
    ['docker.io/a/b/c', 'b-c'],
    ['localhost:5000/server', 'localhost-server'],
    ['localhost:5000/server:2', 'localhost-server'],
    [`owner/img@sha256:${'a'.repeat(64)}`, 'owner-img-sha256'],
    ['owner/a_b.c:1', 'owner-a-b-c'],
    ['a', 'a-workload'],
  ])('names the workload of %s %s', (image, name) => expect(getImageName(image)).toBe(name));

  it.each([
    ['fine.Name_1', 'fine.Name_1'],
    ['my server!', 'my-server-'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a;b|c&d`e$f', 'a-b-c-d-e-f'],
    ['-rf', 'rf'],
    ['..', 'workload'],
    ['ü', 'workload'],
    ['x'.repeat(300), 'x'.repeat(100)],
  ])('converts %j to %s', (typed, name) => expect(sanitizeName(typed)).toBe(name));

  it('always returns a valid name for a container and a folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (typed) => {
        const name = sanitizeName(typed);
        expect(isWorkloadName(name)).toBe(true);
        expect(name).not.toMatch(/\.\.|\/|\\/);
        expect(sanitizeName(name)).toBe(name);
      }),
    );
  });
});
