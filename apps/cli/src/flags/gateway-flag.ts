import { Flags } from '@oclif/core';

/** The flag of commands whose objects belong to one connector gateway. */
export const gatewayFlag = {
  gateway: Flags.string({ description: 'id of the connector gateway', default: 'local' }),
};
