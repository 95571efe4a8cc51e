// node command-proxy.mjs COMMAND [ARGS...]
// Serves an MCP server on standard streams over HTTP at http://127.0.0.1:7001/mcp, or another PORT.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createProxy } from '@gatehouse/proxy/proxy';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('Give the command of an MCP server.');

// Clients that take requests of the server get a process of their own; the others share one.
async function openProcess() {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exited;
  };
  return { input: child.stdin, output: child.stdout, stop };
}

const proxy = createProxy({
  upstream: { kind: 'stdio', openProcess },
  port: Number(process.env['PORT'] ?? 7001),
  log: ({ level, message }) => console.error(`${level} ${message}`),
});
const { url } = await proxy.listen();
console.log(url);

process.once('SIGTERM', () => void proxy.close());
