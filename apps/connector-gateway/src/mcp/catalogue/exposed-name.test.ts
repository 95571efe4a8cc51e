import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exposedName, slugOf, withoutSlug } from './exposed-name.ts';

const slug = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,22}[a-z0-9])?$/);

describe('exposedName', () => {
  it('joins the slug and the original with two underscores where possible', () => {
    expect(exposedName('github', 'create_issue')).toBe('github__create_issue');
    expect(exposedName('a', 'x__y')).toBe('a__x__y');
  });

  it('always fits model APIs and keeps the slug', () => {
    fc.assert(
      fc.property(slug, fc.string({ unit: 'binary', maxLength: 300 }), (connector, original) => {
        const name = exposedName(connector, original);
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(slugOf(name)).toBe(connector);
      }),
    );
  });

  it('distinguishes long originals that differ only at the end', () => {
    const long = 'x'.repeat(200);
    expect(exposedName('s', `${long}a`)).not.toBe(exposedName('s', `${long}b`));
    expect(exposedName('s', `${long}a`)).toBe(exposedName('s', `${long}a`));
  });

  it('distinguishes originals that differ only in replaced characters', () => {
    expect(exposedName('s', 'read.file')).not.toBe(exposedName('s', 'read/file'));
    expect(exposedName('s', 'аdmin')).not.toBe(exposedName('s', 'admin'));
  });

  it('never gives an original the shortened name of another', () => {
    const shortened = exposedName('s', 'read.file');
    expect(exposedName('s', withoutSlug(shortened))).not.toBe(shortened);
    expect(exposedName('s', 'x_0123abcd')).toMatch(/^s__x_0123abcd_[0-9a-f]{8}$/);
  });

  it('keeps the text after the first separator as the name without slug', () => {
    expect(withoutSlug('github__create__issue')).toBe('create__issue');
    expect(withoutSlug('plain')).toBe('plain');
  });

  it('has no slug without the separator', () => {
    expect(slugOf('plain')).toBeUndefined();
    expect(slugOf('__leading')).toBeUndefined();
  });
});
