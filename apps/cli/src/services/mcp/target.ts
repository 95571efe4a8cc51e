import type { Workloads } from '@gatehouse/workloads/lifecycle';
import { CommandFailedError, UsageError } from '../../errors/cli-error.ts';

/**
 * Returns the URL of an MCP server.
 * @param target the name of a running workload, or a URL
 * @throws CliError when the workload does not run, or the URL is invalid
 */
export async function resolveTarget(workloads: Workloads, target: string): Promise<URL> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) {
    const url = URL.parse(target);
    if (url !== null && /^https?:$/.test(url.protocol)) return url;
    throw new UsageError(`${target} is not an http or https URL`);
  }
  const { status, url } = await workloads.getState(target);
  if (status === 'running') return new URL(url);
  throw new CommandFailedError(`The workload ${target} does not run; it is ${status}`, [`gatehouse start ${target}`]);
}
