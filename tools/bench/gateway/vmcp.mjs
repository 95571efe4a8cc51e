import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installToolhive, TOOLHIVE_ENV } from '../toolhive.mjs';
import { AUDIENCE } from '../real-manager.mjs';
import { startMeasured } from './measured-process.mjs';

/**
 * Starts vMCP of ToolHive, which checks OIDC tokens, decides with Cedar and writes an audit log, in
 * front of some upstreams.
 * @returns its port and process
 * @throws {Error} when it cannot be built or does not start
 */
export async function startVmcp({ home, issuer, port, upstreamPorts }) {
  const binary = installToolhive('vmcp');
  const folder = join(home, `vmcp-${port}`);
  mkdirSync(folder, { recursive: true });
  const url = `http://127.0.0.1:${port}`;
  const oidc = {
    issuer: issuer.name,
    clientId: 'bench',
    audience: AUDIENCE,
    resource: `${url}/mcp`,
    jwksUrl: `${issuer.name}/keys`,
    insecureAllowHttp: true,
    jwksAllowPrivateIp: true,
  };
  const configuration = {
    name: 'bench',
    groupRef: 'bench',
    incomingAuth: {
      type: 'oidc',
      oidc,
      authz: { type: 'cedar', policies: ['permit(principal, action, resource);'] },
    },
    outgoingAuth: { source: 'inline', default: { type: 'unauthenticated' } },
    backends: upstreamPorts.map((upstream, at) => ({
      name: `b${at}`,
      url: `http://127.0.0.1:${upstream}/mcp`,
      transport: 'streamable-http',
    })),
    aggregation: { conflictResolution: 'prefix', conflictResolutionConfig: { prefixFormat: '{workload}_' } },
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'vmcp.yaml'), JSON.stringify(configuration));
  const env = { HOME: folder, ...TOOLHIVE_ENV, INSECURE_DISABLE_URL_VALIDATION: 'true' };
  const args = [
    'serve',
    '-c',
    join(folder, 'vmcp.yaml'),
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--enable-audit',
  ];
  return { port, ...(await startMeasured(binary, args, { env, logFile: join(folder, 'log'), port })) };
}
