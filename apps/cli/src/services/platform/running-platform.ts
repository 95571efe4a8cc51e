import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess, type ProcessIdentity } from '@gatehouse/workloads/state/process-identity';

/** The used fields of platform.json of a running platform. */
export interface PlatformFile {
  readonly version: string;
  readonly pid: number;
  readonly started_at: string;
  readonly urls: Readonly<
    Record<
      | 'enterprise_manager'
      | 'connector_gateway'
      | 'connector_gateway_control'
      | 'ai_gateway_mgmt'
      | 'ai_gateway'
      | 'console'
      | 'identity_provider',
      string
    >
  >;
  readonly users: readonly { readonly name: string }[];
}

/** Returns the content of platform.json when the platform of this home runs and is ready. */
export function readRunningPlatform(home: string): PlatformFile | undefined {
  const platform = readJson(join(home, 'platform.json')) as PlatformFile | undefined;
  const supervisor = findSupervisor(home);
  return platform?.pid === supervisor?.pid ? platform : undefined;
}

/**
 * Finds the process that has the lock of a home: the supervisor of a platform that starts, runs or
 * stops. The file of the owner can be older than a crash, so the process must be a supervisor.
 */
export function findSupervisor(home: string): ProcessIdentity | undefined {
  const owner = readJson(join(home, 'run', 'supervisor.json')) as { pid?: unknown } | undefined;
  const pid = owner?.pid;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 2) return undefined;
  const identity = identifyProcess(pid);
  return identity !== undefined && isSupervisor(pid, home) ? identity : undefined;
}

/** Whether a process is the supervisor of a home. Systems without /proc know only its pid. */
function isSupervisor(pid: number, home: string): boolean {
  const command = readProcessFile(pid, 'cmdline');
  if (command === undefined) return process.platform !== 'linux';
  if (!/\/local-platform\/dist\/main\.js\0/.test(command)) return false;
  const named = readProcessFile(pid, 'environ')
    ?.split('\0')
    .find((entry) => entry.startsWith('GATEHOUSE_HOME='));
  return named === undefined || named === `GATEHOUSE_HOME=${home}`;
}

function readProcessFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

function readJson(file: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
