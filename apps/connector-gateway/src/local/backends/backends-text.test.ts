import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import fc from 'fast-check';
import { parseBackendsText } from './backends-text.ts';

function findProblem(text: string): { reason: string; line: number | undefined } | undefined {
  try {
    parseBackendsText(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof FileProblemError)) throw error;
    return { reason: error.reason, line: error.position?.line };
  }
}

/** A file with one backend, whose further lines the test gives. */
const withLines = (...lines: string[]): string =>
  [
    'backends:',
    '  - name: files',
    '    url: https://files.example.com/mcp',
    ...lines.map((line) => `    ${line}`),
  ].join('\n');

describe('parseBackendsText', () => {
  it('sets defaults', () => {
    expect(parseBackendsText(withLines()).backends).toEqual({
      backends: [
        {
          name: 'files',
          url: 'https://files.example.com/mcp',
          transport: 'streamable-http',
          auth: { type: 'none' },
          allow_private_ips: false,
        },
      ],
    });
  });

  it('accepts JSON, an empty list, and at most 2,000 backends', () => {
    expect(parseBackendsText('{"backends":[]}').backends.backends).toEqual([]);
    const createMany = (length: number) => {
      const lines = Array.from({ length }, (_, at) => `  - { name: b${at}, url: "https://b${at}.example.com/mcp" }`);
      return ['backends:', ...lines].join('\n');
    };
    expect(parseBackendsText(createMany(2_000)).backends.backends).toHaveLength(2_000);
    expect(findProblem(createMany(2_001))?.reason).toContain('backends must have at most 2000 items');
  });

  it.each([
    ['', 'breaks a rule: it must be an object', undefined],
    ['backends: none', 'backends must be a list', 1],
    ['backend: []', 'backends is required (and 1 more)', 1],
    ['backends: []\nlimit: 1', 'limit is not a known field', 2],
    [withLines('color: red'), 'backends[0].color (backend files) is not a known field', 4],
    [withLines('transport: stdio'), 'backends[0].transport (backend files) must be one of', 4],
    [withLines('allow_private_ips: "yes"'), 'backends[0].allow_private_ips (backend files) must be a boolean', 4],
    [withLines('auth: { type: oauth }'), 'backends[0].auth.type (backend files)', 4],
    [withLines('auth: { type: obo }'), 'a type that exchanges the token of the user needs an enterprise manager', 4],
    [withLines('auth: { type: sign_in }'), 'backends[0].auth.issuer', 4],
    [
      withLines('auth: { type: sign_in, issuer: "https://a.example", client_secret_env: A }'),
      'needs client_id for the client secret',
      4,
    ],
    [
      withLines(
        'auth: { type: sign_in, issuer: "https://a.example", client_id: a, client_secret_env: A, client_secret_file: b }',
      ),
      'not both',
      4,
    ],
    [withLines('auth: { type: sign_in, issuer: "https://a.example", scopes: ["a b"] }'), 'must be a scope', 4],
    [withLines('auth: { type: bearer }'), 'backends[0].auth (backend files) needs either token_env or token_file', 4],
    [withLines('auth: { type: bearer, token: abc }'), 'backends[0].auth.token (backend files) is not a known field', 4],
    [withLines('auth:', '  type: header', '  header: Host', '  value_env: A'), 'host has a meaning of its own', 6],
    [withLines('auth: { type: bearer, token_env: A, token_file: b }'), 'needs either token_env or token_file', 4],
    [withLines('auth: { type: bearer, token_env: "A-B" }'), 'must be the name of an environment variable', 4],
    [withLines('limits: { max_result_bytes: 0 }'), 'backends[0].limits.max_result_bytes (backend files)', 4],
    [withLines('tool_pinning: strict'), 'backends[0].tool_pinning (backend files)', 4],
    [withLines('limits: { calls: 5 }'), 'backends[0].limits.calls (backend files) is not a known field', 4],
    ['backends: []\nredaction_patterns: ["a", "("]', 'redaction_patterns[1] is not a regular', 2],
    [withLines('elicitation_hosts: ["*.com"]'), 'elicitation_hosts[0] (backend files) is not a host', 4],
    [withLines('name: other'), 'the field backends[0].name stands twice', 4],
    [`${withLines()}\n  - { name: files, url: "https://b.example.com" }`, 'must differ from the names of earlier', 4],
    ['backends: [{ name: My_Server, url: "https://b.example.com" }]', 'must be 1 to 24 characters of a-z', 1],
    ['backends: [{ name: -a, url: "https://b.example.com" }]', 'must be 1 to 24 characters of a-z', 1],
    ['backends: [5]', 'backends[0] must be an object', 1],
    ['a: &a [x]\nbackends: *a', 'backends[0] must be an object', 2],
  ])('refuses %j with the field and its line', (text, reason, line) => {
    const problem = findProblem(text);
    expect(problem?.reason).toContain(reason);
    expect(problem?.line).toBe(line);
  });

  it('never throws another error, and never accepts an unknown field', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const file = fc.record(
      { backends: fc.oneof(value, fc.array(value)), limits: value, more: value },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, (content) => {
        const problem = findProblem(JSON.stringify(content));
        return problem !== undefined || !('more' in content);
      }),
      { numRuns: 200 * effort },
    );
  });
});
