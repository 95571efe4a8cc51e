import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { deriveDeploymentMode, findFreeSlug, deriveSlug } from './connector.ts';

describe('deriveSlug', () => {
  it.each([
    ['GitHub', 'github'],
    ['Jira & Confluence (EU)', 'jira-confluence-eu'],
    ['Größe Ångström', 'gro-e-angstrom'],
    ['a__b', 'a-b'],
    ['研究', 'connector'],
    ['🚀', 'connector'],
    ['-- x --', 'x'],
    ['A name that is much longer than a slug may be', 'a-name-that-is-much-long'],
    ['twenty three letters ab c', 'twenty-three-letters-ab'],
  ])('derives from %j the slug %j', (name, slug) => {
    expect(deriveSlug(name)).toBe(slug);
  });

  it('returns well-formed slugs for any name, and findFreeSlug unused ones', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(120), (name, used) => {
        const taken = new Set<string>();
        for (let count = 0; count <= used; count += 1) {
          const slug = findFreeSlug(deriveSlug(name), taken);
          expect(slug).toMatch(/^[a-z0-9]([a-z0-9-]{0,22}[a-z0-9])?$/);
          expect(taken.has(slug)).toBe(false);
          taken.add(slug);
        }
      }),
      { numRuns: 50 * effort },
    );
  });
});

describe('deriveDeploymentMode', () => {
  it.each([
    ['http://tools.default.svc:8080/mcp', 'kubernetes'],
    ['http://tools.default.svc.cluster.local/mcp', 'kubernetes'],
    ['http://tools.default.svc.cluster.local./mcp', 'kubernetes'],
    ['http://tools-0.tools.default.svc.cluster.local/mcp', 'kubernetes'],
    ['https://mcp.example.com/mcp', 'proxy_remote'],
    ['https://svc.example.com/mcp', 'proxy_remote'],
    ['https://a.svc/mcp', 'proxy_remote'],
    ['http://127.0.0.1:9/mcp', 'proxy_remote'],
  ])('returns for %s the mode %s', (endpoint, mode) => {
    expect(deriveDeploymentMode(new URL(endpoint))).toBe(mode);
  });
});
