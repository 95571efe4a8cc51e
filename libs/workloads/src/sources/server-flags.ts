import { resolveArguments } from '@gatehouse/mcp-registry/servers/resolve-arguments';
import type { LocalServer } from '@gatehouse/mcp-registry/servers/registry-server';
import { WorkloadError } from '../errors/workload-error.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { sanitizeName } from '../flags/workload-name.ts';

/** The command line of a server of the registry. */
export interface ServerCommandLine {
  readonly args: readonly string[];
  readonly flags: RunFlags;
}

/**
 * Completes a command line with the values of an entry of the registry. Flags and arguments of the
 * user win; an entry without a value leaves the default of the flag.
 * @param typed the name as it was typed, from which the name of the workload comes
 * @throws RegistryError (server_arguments_missing), WorkloadError (usage)
 */
export function addServerFlags(
  typed: string,
  server: LocalServer,
  { args, flags }: ServerCommandLine,
): ServerCommandLine {
  const name = flags.name || sanitizeName(typed.replace(/[./]/g, '-'));
  return { args: resolveArguments(server, args), flags: { ...addTransportFlags(server, flags), name } };
}

/**
 * Completes flags with the transport of an entry and its port, where the user gives none.
 * @throws WorkloadError (usage) for a transport that no proxy serves
 */
export function addTransportFlags(server: LocalServer, flags: RunFlags): RunFlags {
  const transport = flags.transport || server.transport;
  if (transport === 'sse' && !flags.transport) {
    throw new WorkloadError('usage', `${server.name} of the registry speaks sse, which this version does not serve`, [
      '--transport TRANSPORT   when it also speaks stdio or streamable-http',
    ]);
  }
  const isHttp = transport.toLowerCase() !== 'stdio';
  return {
    ...flags,
    transport,
    ...(isHttp && {
      targetPort: flags.targetPort ?? server.targetPort?.toString(),
      stateless: flags.stateless || server.stateless,
    }),
  };
}
