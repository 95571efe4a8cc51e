import { describe, expect, it } from '@jest/globals';
import { createRegistryServer } from '../servers/create-registry-server.ts';
import { createEmbeddedRegistry } from './embedded-registry.ts';

describe('the embedded registry', () => {
  it('has at least 15 servers, and none is left out', async () => {
    const { servers, problems } = await createEmbeddedRegistry().list();
    expect(problems).toEqual([]);
    expect(servers.length).toBeGreaterThanOrEqual(15);
  });

  it('has only servers that run in a pinned version and whose tools are known', async () => {
    const { servers } = await createEmbeddedRegistry().list();
    for (const entry of servers) {
      const server = createRegistryServer(entry);
      expect([server.name, server.kind, server.warnings]).toEqual([entry.name, 'package', []]);
      if (server.kind !== 'remote') expect(server.source).toMatch(/^(npx:\/\/.+[^/]@|uvx:\/\/.+==)\d+\.\d+\.\d+$/);
      expect(server.tools.length).toBeGreaterThan(0);
    }
  });

  it('finds a server by the end of its name', async () => {
    expect((await createEmbeddedRegistry().find('server-time')).name).toBe(
      'io.github.modelcontextprotocol/server-time',
    );
  });
});
