import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createRegistryServer } from '../servers/create-registry-server.ts';
import type { LocalServer } from '../servers/registry-server.ts';
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

  it('has each server in a group, and in groups no unknown server', async () => {
    const { servers, groups } = await createEmbeddedRegistry().list();
    const members = groups.flatMap((group) => group.servers.map(({ name }) => name));
    expect(new Set(members)).toEqual(new Set(servers.map(({ name }) => name)));
    const file = readFileSync(new URL('../../snapshot/groups.json', import.meta.url), 'utf8');
    const stored = JSON.parse(file) as { servers: string[] }[];
    expect(members).toEqual(stored.flatMap((group) => group.servers));
  });

  it('has only servers without variables and without a network in the group offline', async () => {
    const { groups } = await createEmbeddedRegistry().list();
    for (const entry of groups.find(({ name }) => name === 'offline')?.servers ?? []) {
      const server = createRegistryServer(entry) as LocalServer;
      expect(server.permissions?.network?.['outbound']).toMatchObject({ insecure_allow_all: false, allow_host: [] });
      expect(server.environment.filter(({ required }) => required)).toEqual([]);
    }
  });

  it('finds a server by the end of its name', async () => {
    expect((await createEmbeddedRegistry().find('server-time')).name).toBe(
      'io.github.modelcontextprotocol/server-time',
    );
  });
});
