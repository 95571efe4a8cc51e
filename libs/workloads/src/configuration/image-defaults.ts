import { createServer } from 'node:net';
import type { ImageInfo } from './image-info.ts';
import { getNetworkMode } from './config-values.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { findHttpOnlyFlag, type Transport } from '../flags/transport.ts';

/** The image label that names the transport of the server in it. */
const TRANSPORT_LABEL = 'io.modelcontextprotocol.transport';
/**
 * Port of a server when neither flag nor image names one. In its own network every port is free.
 */
const DEFAULT_PORT = 8080;

function getLabelTransport(config: RunConfig, facts: ImageInfo): Transport {
  const label = facts.labels[TRANSPORT_LABEL]?.toLowerCase();
  if (label === undefined || label === '') return 'streamable-http';
  if (label === 'stdio' || label === 'sse' || label === 'streamable-http') return label;
  throw new WorkloadError(
    'usage',
    `The label of the image ${config.image} names the transport ${label}, which this version does not support`,
    ['--transport TRANSPORT   when it also speaks stdio, sse or streamable-http'],
  );
}

/** Finds a port that is free on this machine now. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/**
 * Completes a configuration with the defaults of its image: the transport (flag, else the label of
 * the image, else streamable-http) and the port of the server (flag, else the only exposed port,
 * else a default port, or a free port on the host network).
 * @throws WorkloadError (usage) when the flags contradict the image.
 */
export async function resolveImageDefaults(config: RunConfig, facts: ImageInfo): Promise<RunConfig> {
  const transport = config.transport === '' ? getLabelTransport(config, facts) : config.transport;
  if (transport === 'streamable-http' && config.transport === '' && config.proxy_mode === 'sse') {
    const problem = 'is for stdio servers';
    throw new WorkloadError('usage', `--proxy-mode sse ${problem}; the image ${config.image} speaks streamable-http`, [
      '--transport stdio   when it also speaks stdio',
    ]);
  }
  if (transport === 'stdio') {
    const httpOnly = findHttpOnlyFlag(config);
    if (httpOnly !== undefined) {
      throw new WorkloadError(
        'usage',
        `${httpOnly} is for servers that listen on a port; the image ${config.image} speaks stdio`,
      );
    }
    return { ...config, transport };
  }
  if (transport === 'sse' && config.stateless) {
    const problem = 'is for streamable-http servers';
    throw new WorkloadError('usage', `--stateless ${problem}; the image ${config.image} speaks sse`);
  }
  const mode = getNetworkMode(config);
  if (mode === 'none') {
    throw new WorkloadError('usage', `--network none leaves no way to reach a server that speaks ${transport}`, [
      '--transport stdio',
    ]);
  }
  if (config.target_port !== undefined) return { ...config, transport };
  const exposed = facts.ports.length === 1 ? facts.ports[0] : undefined;
  return { ...config, transport, target_port: exposed ?? (mode === 'host' ? await findFreePort() : DEFAULT_PORT) };
}
