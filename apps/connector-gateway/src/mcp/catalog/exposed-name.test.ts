import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createExposedName, getSlug, removeSlug } from './exposed-name.ts';

const slug = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,22}[a-z0-9])?$/);

describe('createExposedName', () => {
  it('joins the slug and the original with two underscores where possible', () => {
    expect(createExposedName('github', 'create_issue')).toBe('github__create_issue');
    expect(createExposedName('a', 'x__y')).toBe('a__x__y');
  });

  it('always fits model APIs and keeps the slug', () => {
    fc.assert(
      fc.property(slug, fc.string({ unit: 'binary', maxLength: 300 }), (connector, original) => {
        const name = createExposedName(connector, original);
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(getSlug(name)).toBe(connector);
      }),
    );
  });

  it('distinguishes long originals that differ only at the end', () => {
    const long = 'x'.repeat(200);
    expect(createExposedName('s', `${long}a`)).not.toBe(createExposedName('s', `${long}b`));
    expect(createExposedName('s', `${long}a`)).toBe(createExposedName('s', `${long}a`));
  });

  it('distinguishes originals that differ only in replaced characters', () => {
    expect(createExposedName('s', 'read.file')).not.toBe(createExposedName('s', 'read/file'));
    expect(createExposedName('s', 'аdmin')).not.toBe(createExposedName('s', 'admin'));
  });

  it('never gives an original the shortened name of another', () => {
    const shortened = createExposedName('s', 'read.file');
    expect(createExposedName('s', removeSlug(shortened))).not.toBe(shortened);
    expect(createExposedName('s', 'x_0123abcd')).toMatch(/^s__x_0123abcd_[0-9a-f]{8}$/);
  });

  it('keeps the text after the first separator as the name without slug', () => {
    expect(removeSlug('github__create__issue')).toBe('create__issue');
    expect(removeSlug('plain')).toBe('plain');
  });

  it('has no slug without the separator', () => {
    expect(getSlug('plain')).toBeUndefined();
    expect(getSlug('__leading')).toBeUndefined();
  });
});
