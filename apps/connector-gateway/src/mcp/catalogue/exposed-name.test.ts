import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exposedName, slugOf, withoutSlug } from './exposed-name.ts';

const slug = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,22}[a-z0-9])?$/);

describe('exposed names', () => {
  it('are the slug, two underscores and the original where that is possible', () => {
    expect(exposedName('github', 'create_issue')).toBe('github__create_issue');
    expect(exposedName('a', 'x__y')).toBe('a__x__y');
  });

  it('never leave what model APIs accept, and always give back the slug', () => {
    fc.assert(
      fc.property(slug, fc.string({ unit: 'binary', maxLength: 300 }), (connector, original) => {
        const name = exposedName(connector, original);
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(slugOf(name)).toBe(connector);
      }),
    );
  });

  it('keep over-long originals apart that differ only at the end', () => {
    const long = 'x'.repeat(200);
    expect(exposedName('s', `${long}a`)).not.toBe(exposedName('s', `${long}b`));
    expect(exposedName('s', `${long}a`)).toBe(exposedName('s', `${long}a`));
  });

  it('keep originals apart whose forbidden characters look alike', () => {
    expect(exposedName('s', 'read.file')).not.toBe(exposedName('s', 'read/file'));
    expect(exposedName('s', 'аdmin')).not.toBe(exposedName('s', 'admin'));
  });

  it('cannot be taken by an original that looks like the shortened form of another', () => {
    const shortened = exposedName('s', 'read.file');
    expect(exposedName('s', withoutSlug(shortened))).not.toBe(shortened);
    expect(exposedName('s', 'x_0123abcd')).toMatch(/^s__x_0123abcd_[0-9a-f]{8}$/);
  });

  it('without their slug are what stands after the first separator', () => {
    expect(withoutSlug('github__create__issue')).toBe('create__issue');
    expect(withoutSlug('plain')).toBe('plain');
  });

  it('have no slug without the separator', () => {
    expect(slugOf('plain')).toBeUndefined();
    expect(slugOf('__leading')).toBeUndefined();
  });
});
