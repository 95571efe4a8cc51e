import { resolveArguments } from '@gatehouse/mcp-registry/servers/resolve-arguments';
import type { LocalServer } from '@gatehouse/mcp-registry/servers/registry-server';
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
 * @throws RegistryError (server_arguments_missing)
 */
export function addServerFlags(
  typed: string,
  server: LocalServer,
  { args, flags }: ServerCommandLine,
): ServerCommandLine {
  const name = flags.name || sanitizeName(typed.replace(/[./]/g, '-'));
  return { args: resolveArguments(server, args), flags: { ...addTransportFlags(server, flags), name } };
}

/** Completes flags with the transport of an entry and its port, where the user gives none. */
export function addTransportFlags(server: LocalServer, flags: RunFlags): RunFlags {
  const transport = flags.transport || server.transport;
  const isHttp = transport.toLowerCase() !== 'stdio';
  return {
    ...flags,
    transport,
    ...(isHttp && {
      targetPort: flags.targetPort ?? server.targetPort?.toString(),
      stateless: flags.stateless || (server.stateless && transport !== 'sse'),
    }),
  };
}
