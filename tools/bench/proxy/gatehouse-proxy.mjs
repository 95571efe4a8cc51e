// Usage: node gatehouse-proxy.mjs PORT UPSTREAM_PORT
//    or: node gatehouse-proxy.mjs PORT stdio COMMAND…
// The proxy of `gatehouse run` with its default passes.
import { spawn } from 'node:child_process';
import { createProxy } from '../../../libs/proxy/dist/proxy.js';

const [port, target, ...command] = process.argv.slice(2);

async function openProcess() {
  const child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  return { input: child.stdin, output: child.stdout, stop: async () => void child.kill() };
}

const upstream =
  target === 'stdio' ? { kind: 'stdio', openProcess } : { kind: 'http', url: `http://127.0.0.1:${target}` };
const log = ({ level, message, cause }) => {
  if (level === 'warn' || level === 'error') console.error(message, cause);
};
const proxy = createProxy({ upstream, port: Number(port), log });
process.on('SIGTERM', () => proxy.close(100).then(() => process.exit(0)));
await proxy.listen();
