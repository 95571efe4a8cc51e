import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { type Candidate, completeCandidate } from '../rules.ts';
import { editResourceText, writeResourceText } from './edit-text.ts';
import { decodeText } from '@gatehouse/yaml-files/file-text';
import { parseResourceText } from './resource-text.ts';

const NAMESPACE = 'gatehouse';

const TEXT = `# The policy of all developers.
apiVersion: gatehouse.dev/v1alpha1
kind: AIPolicy
metadata:
  name: developers # do not rename
  labels: { team: platform }
spec:
  gatewayRef: { name: local }
  # Shown to developers.
  description: "All developers" # short

  principalMatchers:
  # people
  - claims:
      groups: developers # from the directory
  # programs
  - claims: { client: 'ci' }
`;

interface Parts {
  labels?: unknown;
  annotations?: unknown;
  spec: Record<string, unknown>;
}

const createCandidate = ({ labels, annotations, spec }: Parts): Candidate => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'AIPolicy',
  metadata: {
    name: 'developers',
    namespace: NAMESPACE,
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
  },
  spec,
});

function toWritten({ apiVersion, kind, metadata, spec }: Candidate) {
  const { namespace: _, ...members } = metadata;
  return { apiVersion, kind, metadata: members, spec };
}

/** Edits a text, so that it holds other parts. @returns the new text */
function edit(text: string, parts: Parts): string {
  const wanted = completeCandidate(createCandidate(parts));
  const isStored = (parsed: Candidate) => isDeepStrictEqual(completeCandidate(parsed), wanted);
  return decodeText(
    editResourceText(text, parseResourceText(text, NAMESPACE), [toWritten(wanted)], NAMESPACE, isStored),
  );
}

const SPEC = {
  gatewayRef: { name: 'local' },
  description: 'All developers',
  principalMatchers: [{ claims: { groups: 'developers' } }, { claims: { client: 'ci' } }],
};
const PARTS: Parts = { labels: { team: 'platform' }, spec: SPEC };

describe('editResourceText', () => {
  it('changes only the lines of the changed members', () =>
    expect(edit(TEXT, { ...PARTS, spec: { ...SPEC, description: 'Developers: all' } })).toBe(
      TEXT.replace('"All developers"', '"Developers: all"'),
    ));

  it('keeps comments of a list when an item is added, changed or removed', () => {
    const [people, programs] = SPEC.principalMatchers;
    const added = edit(TEXT, {
      ...PARTS,
      spec: { ...SPEC, principalMatchers: [people, programs, { claims: { a: 'b' } }] },
    });
    expect(added).toContain("  # programs\n  - claims: { client: 'ci' }\n  - claims:\n      a: b\n");
    const changed = edit(TEXT, {
      ...PARTS,
      spec: { ...SPEC, principalMatchers: [{ claims: { groups: 'all' } }, programs] },
    });
    expect(changed).toContain('  # people\n  - claims:\n      groups: all # from the directory\n  # programs\n');
    const removed = edit(TEXT, { ...PARTS, spec: { ...SPEC, principalMatchers: [people] } });
    expect(removed).toContain('groups: developers # from the directory\n');
  });

  it('adds and removes labels and annotations', () => {
    expect(edit(TEXT, { ...PARTS, labels: undefined })).not.toContain('labels');
    expect(edit(TEXT, { ...PARTS, annotations: { 'acme.example/owner': 'x' } })).toContain(
      '  annotations:\n    acme.example/owner: x\n',
    );
  });

  it('keeps CRLF line ends and a byte order mark', () => {
    const text = `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`;
    const edited = edit(text, { ...PARTS, spec: { ...SPEC, description: 'x' } });
    expect(edited.startsWith('\uFEFF# The policy')).toBe(true);
    expect(edited.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(edited).toContain('# from the directory\r\n');
  });

  it('does not change another member that shares its value by an alias', () => {
    const text = TEXT.replace('groups: developers', 'groups: &name developers').replace("'ci'", '*name');
    const principalMatchers = [{ claims: { groups: 'others' } }, { claims: { client: 'developers' } }];
    const edited = edit(text, { ...PARTS, spec: { ...SPEC, principalMatchers } });
    expect(parseResourceText(edited, NAMESPACE).candidate.spec).toEqual({ ...SPEC, principalMatchers });
  });

  it.each([
    '__proto__',
    'constructor',
    'toString',
    '1',
    'true',
    'null',
    '',
    '- a',
    '# a',
    'a: b',
    '"',
    '\n',
    '\u0000',
    '\u2028',
    '\u{1F600}',
  ])('writes the text %j as a value and as a name', (name) => {
    const spec = { ...SPEC, description: name, principalMatchers: [{ claims: Object.fromEntries([[name, name]]) }] };
    expect(parseResourceText(edit(TEXT, { spec }), NAMESPACE).candidate.spec).toEqual(spec);
  });

  it('holds any resource after any edit', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.toWellFormed());
    const claims = fc.dictionary(texts, texts, { maxKeys: 3 });
    const spec = fc.record(
      {
        gatewayRef: fc.record({ name: texts }),
        description: texts,
        principalMatchers: fc.array(fc.record({ claims }), { maxLength: 3 }),
        mcpPolicy: fc.record({ servers: fc.array(texts, { maxLength: 2 }) }, { requiredKeys: [] }),
        budgets: fc.array(fc.record({ name: texts, models: fc.array(texts, { maxLength: 2 }) }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    const parts = fc.record({
      spec,
      labels: fc.option(fc.dictionary(texts, texts, { minKeys: 1, maxKeys: 2 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 4 }), (sequence) => {
        let text = TEXT;
        for (const next of sequence) {
          text = edit(text, next);
          const { candidate } = parseResourceText(text, NAMESPACE);
          expect(completeCandidate(candidate)).toEqual(completeCandidate(createCandidate(next)));
        }
        expect(text.startsWith('# The policy of all developers.\n')).toBe(true);
      }),
    );
  });
});

describe('writeResourceText', () => {
  it('refuses what YAML cannot hold', () =>
    expect(() => writeResourceText(toWritten(createCandidate(PARTS)), NAMESPACE, () => false)).toThrow(
      'cannot hold the resource',
    ));
});
