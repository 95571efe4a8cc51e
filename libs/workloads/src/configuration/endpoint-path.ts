import type { RunConfig } from './run-config.ts';

/** The fields that choose the transport between clients and the proxy. */
type TransportFields = Pick<RunConfig, 'transport' | 'proxy_mode'>;

/**
 * Returns the transport of clients: that of the server, or the one to which the proxy bridges a
 * stdio server. Other servers have no bridge, so that their proxy mode has no effect.
 */
export const getClientTransport = ({ transport, proxy_mode: mode }: TransportFields): 'sse' | 'streamable-http' =>
  transport === 'sse' || (transport === 'stdio' && mode === 'sse') ? 'sse' : 'streamable-http';

/** Returns the path at which clients reach a workload. */
export const getEndpointPath = (config: TransportFields): '/sse' | '/mcp' =>
  getClientTransport(config) === 'sse' ? '/sse' : '/mcp';
