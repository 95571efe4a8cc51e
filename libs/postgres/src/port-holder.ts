import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

/** Whether a server could listen on a port of 127.0.0.1 now. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    await once(server.close(), 'close');
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the process that listens on a TCP port, as `name (pid 123)`; undefined when it is not
 * visible, for example a process of another user.
 */
export function findListeningProcess(port: number): string | undefined {
  const pid = process.platform === 'linux' ? holderFromProc(port) : holderFromLsof(port);
  if (pid === undefined) return undefined;
  try {
    return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`;
  } catch {
    return `pid ${pid}`;
  }
}

function holderFromProc(port: number): number | undefined {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningInodes(table, port)));
  if (inodes.size === 0) return undefined;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const sockets = readdirSync(`/proc/${pid}/fd`).map((fd) => readLink(`/proc/${pid}/fd/${fd}`));
      if (sockets.some((link) => inodes.has(link))) return Number(pid);
    } catch {
      continue;
    }
  }
  return undefined;
}

/**
 * Returns the socket links (`socket:[123]`) of the listeners on a port. In the table of the kernel,
 * column 2 is the local address, column 4 the state (0A: listening), column 10 the inode.
 */
function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  try {
    return readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[1]?.endsWith(suffix) && columns[3] === '0A')
      .map((columns) => `socket:[${columns[9] ?? ''}]`);
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function holderFromLsof(port: number): number | undefined {
  try {
    const output = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(output.split('\n')[0]) || undefined;
  } catch {
    return undefined;
  }
}
