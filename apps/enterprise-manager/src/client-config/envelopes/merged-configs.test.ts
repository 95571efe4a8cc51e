import { describe, expect, it } from '@jest/globals';
import { toJson } from '../document/client-config.ts';
import { etagOfContent } from '@gatehouse/signed-config/envelope';
import { mergeConfigs } from './merged-configs.ts';

const [A, B] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const documents = {
  revision: A,
  config: { build_env: { LARGE: 'x'.repeat(4096) } },
  overrides: [A, B].map((group_id, precedence) => ({
    group_id,
    precedence,
    config: { playground: { value: group_id === A, enforcement: 'default' as const } },
  })),
};

describe('mergeConfigs', () => {
  it('shares the directives of the documents between all sets of groups', () => {
    for (const groups of [[], [A], [B], [A, B]])
      expect(mergeConfigs(documents, groups)?.json['build_env']).toBe(documents.config.build_env);
  });

  it('returns the etag of its envelopes', () => {
    const merged = mergeConfigs(documents, [B, A]);
    expect(merged?.config.playground?.value).toBe(false);
    expect(merged?.etag).toBe(etagOfContent(toJson(merged?.config ?? {}), undefined));
    expect(merged?.etag).not.toBe(mergeConfigs(documents, [A])?.etag);
  });

  it('returns undefined for an override that the documents lack', () => {
    expect(mergeConfigs({ ...documents, overrides: [] }, [A])).toBeUndefined();
  });
});
