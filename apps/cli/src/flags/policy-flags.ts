import { Args } from '@oclif/core';

/** The argument that names an AI policy. */
export const policyArg = {
  name: Args.string({ required: true, ignoreStdin: true, description: 'name of the AI policy' }),
};
