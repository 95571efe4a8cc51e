import { flagError } from '../errors/workload-error.ts';
import type { Source } from './source.ts';

/** How the proxy serves a stdio server: streamable HTTP, or HTTP with SSE of 2024-11-05. */
export type ProxyMode = 'streamable-http' | 'sse';

const DEPRECATED =
  '--proxy-mode sse is deprecated and will be removed: MCP replaced this transport in 2025; use streamable-http where clients can';

/**
 * Parses `--proxy-mode`.
 * @param transport undefined: the image or the registry decides
 * @param httpOnly the first given flag of servers that listen on a port
 * @throws WorkloadError (usage) for another mode, and for servers without a bridge
 */
export function parseProxyMode(
  text: string | undefined,
  transport: string | undefined,
  kind: Source['kind'],
  httpOnly?: string,
): { readonly proxyMode: ProxyMode; readonly warnings: readonly string[] } {
  const mode = text?.toLowerCase() ?? '';
  if (mode === '' || mode === 'streamable-http') return { proxyMode: 'streamable-http', warnings: [] };
  if (mode !== 'sse') throw flagError(`--proxy-mode ${text}`, 'is not a mode; give streamable-http or sse');
  if (kind === 'remote')
    throw flagError('--proxy-mode sse', 'is for stdio servers; clients reach a URL with the transport of its server');
  if (transport === 'streamable-http')
    throw flagError('--proxy-mode sse', 'is for stdio servers; it has no meaning with --transport streamable-http');
  if (httpOnly !== undefined)
    throw flagError(httpOnly, 'is for servers that listen on a port; --proxy-mode sse is for stdio servers');
  return { proxyMode: 'sse', warnings: [DEPRECATED] };
}
