import { describe, expect, it } from '@jest/globals';
import { toJson } from '../document/client-config.ts';
import { etagOfContent } from '@gatehouse/signed-config/envelope';
import { viewOf } from './config-views.ts';

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

describe('what the people of the same groups are configured with', () => {
  it('holds no copy of a directive, however many sets of groups there are', () => {
    for (const groups of [[], [A], [B], [A, B]])
      expect(viewOf(documents, groups)?.json['build_env']).toBe(documents.config.build_env);
  });

  it('has the etag of its envelopes', () => {
    const view = viewOf(documents, [B, A]);
    expect(view?.config.playground?.value).toBe(false);
    expect(view?.etag).toBe(etagOfContent(toJson(view?.config ?? {}), undefined));
    expect(view?.etag).not.toBe(viewOf(documents, [A])?.etag);
  });

  it('is not made up for an override that is not there', () => {
    expect(viewOf({ ...documents, overrides: [] }, [A])).toBeUndefined();
  });
});
