// Usage: node gatehouse-proxy.mjs '{ port, upstreamPort?, command?, checks? }'
// The proxy of `gatehouse run` with its default passes, in front of the server on a port or the
// command. `checks` adds authentication, audit and Cedar: { issuer, audience, policies, auditFile }
// Over a channel to its parent, it answers `collect` with its memory after a collection.
import { spawn } from 'node:child_process';
import { Session } from 'node:inspector/promises';
import { createProxy } from '../../../libs/proxy/dist/proxy.js';

const { port, upstreamPort, command, checks } = JSON.parse(process.argv[2]);

async function openProcess() {
  const child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  return { input: child.stdin, output: child.stdout, stop: async () => void child.kill() };
}

const log = ({ level, message, cause }) => {
  if (level === 'warn' || level === 'error') console.error(message, cause);
};

/** Returns the options of authentication, audit and authorization, as `gatehouse run` sets them. */
async function createChecks({ issuer, audience, policies, auditFile }) {
  const { CedarAuthorizer } = await import('../../../libs/proxy/dist/authorization/cedar-authorizer.js');
  const { AuditLog } = await import('../../../libs/workloads/dist/files/audit-log.js');
  const limits = { maxBytes: 10 * 1024 * 1024, maxFiles: 5, report: console.error };
  const auditLog = new AuditLog({ path: auditFile, ...limits });
  return {
    authentication: { issuer, audience, allowHttp: true, allowPrivateAddresses: true },
    authorizer: new CedarAuthorizer({ policies }, log),
    audit: { component: 'bench', write: (line) => auditLog.write(line) },
  };
}

const upstream =
  command === undefined ? { kind: 'http', url: `http://127.0.0.1:${upstreamPort}` } : { kind: 'stdio', openProcess };
const proxy = createProxy({ upstream, port, log, ...(checks !== undefined && (await createChecks(checks))) });

/** Collects garbage, then answers with the bytes that are still in use, and the resident ones. */
async function readLiveMemory() {
  const session = new Session();
  session.connect();
  // The second collection takes what finalizers have let go.
  for (let at = 0; at < 2; at++) await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send({ live: heapUsed + external, resident: rss });
}
process.on('message', (message) => message === 'collect' && readLiveMemory());
process.on('SIGTERM', () => proxy.close(100).then(() => process.exit(0)));
await proxy.listen();
