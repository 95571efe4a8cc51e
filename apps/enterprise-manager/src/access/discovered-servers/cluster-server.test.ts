import { describe, expect, it } from '@jest/globals';
import { readCustomResource } from './cluster-server.ts';

const readServer = (url: string) =>
  readCustomResource({ metadata: { uid: 'U', name: 'server', namespace: 'tools' }, spec: { url } }, 'MCPServer');

describe('allowPrivateIps of a server of the cluster', () => {
  it.each([
    ['http://server.tools.svc:8080/mcp', true],
    ['http://SERVER.tools.svc.cluster.local/mcp', true],
    ['http://server.tools.svc.cluster.local./mcp', true],
    ['http://server.others.svc:8080/mcp', false],
    ['http://server.tools.svc.example.com/mcp', false],
    ['http://server.tools.svc.cluster.local.example.com/mcp', false],
    ['http://pod.server.tools.svc/mcp', false],
    ['http://server.tools/mcp', false],
    ['http://10.0.0.1/mcp', false],
  ])('is true only for a Service of its own namespace: %s is %s', (url, allowed) => {
    expect(readServer(url)?.allowPrivateIps).toBe(allowed);
  });
});
