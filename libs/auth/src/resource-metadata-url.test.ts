import { describe, expect, it } from '@jest/globals';
import { getResourceMetadataUrl } from './resource-metadata-url.ts';

describe('getResourceMetadataUrl', () => {
  it.each([
    ['https://gatehouse.example.com', 'https://gatehouse.example.com/.well-known/oauth-protected-resource'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/.well-known/oauth-protected-resource'],
    ['https://example.com/gatehouse', 'https://example.com/.well-known/oauth-protected-resource/gatehouse'],
    ['https://example.com/a/b', 'https://example.com/.well-known/oauth-protected-resource/a/b'],
  ])('returns for %s the address %s', (resource, url) => {
    expect(getResourceMetadataUrl(resource)).toBe(url);
  });
});
