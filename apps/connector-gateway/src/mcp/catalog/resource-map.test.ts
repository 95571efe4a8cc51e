import { describe, expect, it } from '@jest/globals';
import type { Connector } from '../ports/snapshot.ts';
import type { Access, Feature } from '../access/access.ts';
import { ResourceMap, type ResourceOffer } from './resource-map.ts';

const connector = (slug: string) => ({ id: `id of ${slug}`, slug }) as Connector;
const one = connector('one');
const two = connector('two');

/** Permits everything that `permits` does not deny, and stores each question. */
function access(permits: (connector: Connector, uri: string) => boolean = () => true) {
  const evaluated: string[] = [];
  const isAllowed = (of: Connector, { name }: Feature) => {
    evaluated.push(`${of.slug} ${name}`);
    return permits(of, name);
  };
  return { evaluated, access: { isAllowed } as unknown as Access };
}

const template = (of: Connector, uriTemplate: string): ResourceOffer<'resourceTemplates'> => ({
  uri: uriTemplate,
  connector: of,
  definition: { uriTemplate, name: uriTemplate },
});

describe('ResourceMap', () => {
  it('evaluates the policy once for each connector and URI, for any number of matching templates', () => {
    const templates = [one, two].flatMap((of) =>
      Array.from({ length: 1_000 }, (_, n) => template(of, `file:///a/{name${n}}`)),
    );
    const { evaluated, access: counted } = access();
    const map = new ResourceMap(counted, [], templates);
    const uris = Array.from({ length: 500 }, (_, n) => `file:///a/${n}`);
    for (let turn = 0; turn < 3; turn++)
      for (const uri of uris) expect(map.getExposedUri(one, uri)).toBe(`gatehouse+one:${uri}`);
    expect(evaluated).toHaveLength(1_000);
    expect(new Set(evaluated).size).toBe(1_000);
  });

  it('evaluates the policy once for a hidden URI with matching templates of many lengths', () => {
    const templates = Array.from({ length: 1_000 }, (_, n) => template(one, `file:///${'a'.repeat(n)}{name}`));
    const { evaluated, access: counted } = access(() => false);
    const map = new ResourceMap(counted, [], templates);
    expect(map.findOwn(`file:///${'a'.repeat(1_000)}`)).toBeUndefined();
    expect(evaluated).toHaveLength(1);
  });

  it('evaluates no connector with a shorter prefix when a longer one matches', () => {
    const { evaluated, access: counted } = access();
    const map = new ResourceMap(counted, [], [template(one, 'file:///{name}'), template(two, 'file:///deep/{name}')]);
    expect(map.find('file:///deep/x')).toEqual({ connector: two, uri: 'file:///deep/x' });
    expect(evaluated).toEqual(['two file:///deep/x']);
  });

  it('falls back to a shorter prefix when the policy hides the longer one', () => {
    const { access: hidden } = access(({ slug }) => slug !== 'two');
    const map = new ResourceMap(hidden, [], [template(one, 'file:///{name}'), template(two, 'file:///deep/{name}')]);
    expect(map.find('file:///deep/x')?.connector).toBe(one);
    expect(map.find('gatehouse+two:file:///deep/x')).toBeUndefined();
  });

  it('finds the connector of a qualified URI by its own longest prefix', () => {
    const { access: open } = access();
    const map = new ResourceMap(open, [], [template(one, 'file:///{name}'), template(two, 'file:///deep/{name}')]);
    expect(map.find('gatehouse+one:file:///deep/x')).toEqual({ connector: one, uri: 'file:///deep/x' });
  });

  it('ignores templates without a literal scheme', () => {
    const { evaluated, access: open } = access();
    const map = new ResourceMap(open, [], [template(one, '{uri}'), template(one, 'file{rest}')]);
    expect(map.find('file:///x')).toBeUndefined();
    expect(evaluated).toEqual([]);
  });

  it.each(['../x', 'a/../../x', 'a/..', './x', '%2e%2e/x', 'a/%2E./x', '..\\x', '..?y'])(
    'finds no template for %s, which a server may resolve',
    (path) => {
      const { access: open } = access();
      const map = new ResourceMap(open, [], [template(one, 'file:///docs/{+path}')]);
      expect(map.find(`file:///docs/${path}`)).toBeUndefined();
    },
  );

  it('finds templates for names that only contain dots', () => {
    const { access: open } = access();
    const map = new ResourceMap(open, [], [template(one, 'file:///docs/{+path}')]);
    for (const path of ['a..b', '.hidden', 'x.md', '...'])
      expect(map.find(`file:///docs/${path}`)?.connector).toBe(one);
  });

  it('finds a folder and the files of a skill, by the longest prefix', () => {
    const { access: open } = access();
    const uri = 'skill://pdf/SKILL.md';
    const skill = {
      uri,
      connector: two,
      definition: { uri, frontmatter: { name: 'pdf', description: 'x' }, resources: 'dynamic' as const },
    };
    const map = new ResourceMap(open, [], [template(one, 'skill://{+path}')], [skill]);
    for (const own of ['skill://pdf', uri, 'skill://pdf/a/b.md']) expect(map.find(own)?.connector).toBe(two);
    for (const own of ['skill://pdf-tools/SKILL.md', 'skill://x']) expect(map.find(own)?.connector).toBe(one);
  });
});
