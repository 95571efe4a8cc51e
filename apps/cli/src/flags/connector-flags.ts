import { Args, Flags } from '@oclif/core';
import type { ConnectorAuthFlags, ConnectorChange, ConnectorRef } from '../services/manager/connectors.ts';

/** The argument of a connector. */
export const connectorArg = {
  connector: Args.string({ required: true, ignoreStdin: true, description: 'connector: id, slug or name' }),
};

/** Returns the connector of the arguments and flags. */
export const connectorRef = (args: { connector: string }, flags: { gateway: string }): ConnectorRef => ({
  connector: args.connector,
  gateway: flags.gateway,
});

/** The flags for fields of a connector. An empty value removes an optional field. */
export const connectorFlags = {
  file: Flags.string({ description: 'file with the fields of the connector as JSON; - is standard input' }),
  endpoint: Flags.string({ description: 'address of the MCP server' }),
  transport: Flags.string({ description: 'transport of the MCP server', options: ['streamable-http', 'sse'] }),
  'private-addresses': Flags.boolean({
    description: 'permit a private address and http for the endpoint',
    allowNo: true,
  }),
  description: Flags.string({ description: 'purpose, as free text' }),
  auth: Flags.string({
    description:
      'how the gateway authenticates to it: none, bearerToken, headerInjection, upstreamInject; others from a file',
  }),
  secret: Flags.string({ description: 'managed secret for the upstream: id or name' }),
  header: Flags.string({ description: 'header of the secret for headerInjection' }),
  provider: Flags.string({ description: 'identity provider for the sign-in of users: id or name' }),
};

/** The fields of a connector that the flags set. */
export function connectorChange(flags: {
  readonly endpoint?: string | undefined;
  readonly transport?: string | undefined;
  readonly 'private-addresses'?: boolean | undefined;
  readonly description?: string | undefined;
}): ConnectorChange {
  const said = {
    endpoint: flags.endpoint,
    transport: flags.transport,
    allow_private_ips: flags['private-addresses'],
    description: flags.description === '' ? null : flags.description,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** The authentication that the flags describe; undefined without such flags. */
export function authWords({ auth, secret, header, provider }: ConnectorAuthFlags): ConnectorAuthFlags | undefined {
  const words = { auth, secret, header, provider };
  return Object.values(words).some((word) => word !== undefined) ? words : undefined;
}
