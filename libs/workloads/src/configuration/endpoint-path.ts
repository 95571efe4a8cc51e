import type { RunConfig } from './run-config.ts';

/** Returns the path at which clients reach a workload. */
export const getEndpointPath = ({ transport }: Pick<RunConfig, 'transport'>): '/sse' | '/mcp' =>
  transport === 'sse' ? '/sse' : '/mcp';
