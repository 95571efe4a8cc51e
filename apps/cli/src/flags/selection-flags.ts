import { Flags } from '@oclif/core';

/** The flags that select several workloads. */
export const selectionFlags = {
  all: Flags.boolean({ description: 'all workloads' }),
  group: Flags.string({ description: 'all workloads of a group' }),
};
