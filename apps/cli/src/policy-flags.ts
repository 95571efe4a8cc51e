import { Args, Flags } from '@oclif/core';
import type { ConnectorRef } from './services/manager/policies.ts';

/** The argument that names a connector. */
export const connectorArg = {
  connector: Args.string({ required: true, ignoreStdin: true, description: 'connector: id, slug or name' }),
};

/** The flag that says where a slug or a name is looked for. */
export const gatewayFlag = {
  gateway: Flags.string({ description: 'gateway of a connector that is given by slug or name', default: 'local' }),
};

/** The connector that a command line names. */
export const connectorRef = (args: { connector: string }, flags: { gateway: string }): ConnectorRef => ({
  connector: args.connector,
  gateway: flags.gateway,
});
