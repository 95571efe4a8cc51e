import { describe, expect, it } from '@jest/globals';
import { getEndpointPath } from './endpoint-path.ts';
import { resolveImageDefaults } from './image-defaults.ts';
import { readRunConfig } from './run-config.ts';

const read = (fields: object) =>
  readRunConfig(JSON.stringify({ schema_version: 'v0.1.0', name: 'one', image: 'example/one', ...fields }));

describe('The path of clients', () => {
  it.each([
    ['stdio', 'sse', '/sse'],
    ['stdio', 'streamable-http', '/mcp'],
    ['stdio', undefined, '/mcp'],
    ['sse', 'streamable-http', '/sse'],
    // Other servers have no bridge. Exported configurations can name a mode all the same.
    ['streamable-http', 'sse', '/mcp'],
  ])('with the transport %s and the proxy mode %s is %s', (transport, proxy_mode, path) => {
    expect(getEndpointPath(read({ transport, proxy_mode }))).toBe(path);
  });
});

describe('An image that speaks streamable HTTP', () => {
  const facts = { labels: {}, ports: [] };

  it('is refused with --proxy-mode sse', async () => {
    await expect(resolveImageDefaults(read({ proxy_mode: 'sse' }), facts)).rejects.toThrow(
      '--proxy-mode sse is for stdio servers; the image example/one speaks streamable-http',
    );
  });

  it('keeps the proxy mode of an imported configuration without effect', async () => {
    const config = read({ transport: 'streamable-http', proxy_mode: 'sse' });
    expect(getEndpointPath(await resolveImageDefaults(config, facts))).toBe('/mcp');
  });
});
