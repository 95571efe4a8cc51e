import { isIP } from 'node:net';
import type { RunConfig } from './run-config.ts';

/** The variables of a proxy. Programs read them in one of two cases. */
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** Returns the variables of the egress proxy, without those that the user has set in any case. */
function createProxyVariables(proxyUrl: string, given: Readonly<Record<string, string>>): Record<string, string> {
  const names = new Set(Object.keys(given).map((name) => name.toUpperCase()));
  const entries = PROXY_VARIABLES.filter((name) => !names.has(name)).flatMap((name) => {
    const value = name === 'NO_PROXY' ? 'localhost,127.0.0.1,::1' : proxyUrl;
    return [[name, value] as const, [name.toLowerCase(), value] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the variables of a server: those that configure its transport and its proxy, those of its
 * image in an exported configuration, and those of the user, which win.
 * @param network the id of a network, or a network mode of the engine
 * @param proxyUrl the egress proxy of an isolated network
 */
export function createServerVariables(
  config: RunConfig,
  network: string,
  proxyUrl: string | undefined,
): Readonly<Record<string, string>> {
  const own: Record<string, string> = {
    MCP_TRANSPORT: config.transport,
    ...(proxyUrl !== undefined && createProxyVariables(proxyUrl, config.env_vars)),
  };
  if (config.transport !== 'stdio' && config.target_port !== undefined) {
    own['MCP_PORT'] = String(config.target_port);
    own['FASTMCP_PORT'] = String(config.target_port);
    // In its own network the server must listen on all addresses, or the proxy cannot reach it.
    own['MCP_HOST'] = network === 'host' ? '127.0.0.1' : '0.0.0.0';
    if (config.target_host !== undefined && isIP(config.target_host) !== 0 && network === 'host')
      own['MCP_HOST'] = config.target_host;
  }
  return { ...own, ...config.runtime_config?.runtime_env, ...config.env_vars };
}
