import { createServer } from 'node:net';
import type { ImageFacts } from './containers.ts';
import { WorkloadFailure } from './failure.ts';
import type { RunConfig } from './run-config.ts';
import { httpOnlyFlag, type Transport } from './run-flags.ts';

/** The image label that names the transport of the server in it. */
const TRANSPORT_LABEL = 'io.modelcontextprotocol.transport';
/**
 * The port a server is told to use when neither flag nor image names one; inside its own network
 * every port is free.
 */
const USUAL_PORT = 8080;

function labelledTransport(config: RunConfig, facts: ImageFacts): Transport {
  const label = facts.labels[TRANSPORT_LABEL]?.toLowerCase();
  if (label === undefined || label === '') return 'streamable-http';
  if (label === 'stdio' || label === 'streamable-http') return label;
  throw new WorkloadFailure(
    'usage',
    `The image ${config.image} says that its server speaks ${label}, which this version does not serve`,
    ['--transport TRANSPORT   when it also speaks stdio or streamable-http'],
  );
}

/** A port that is free on this machine now. */
function freePort(): Promise<number> {
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
 * Completes a configuration with what its image decides: the transport (flag, else the image's
 * label, else streamable-http), and the port the server listens on (flag, else the only exposed
 * one, else a usual one; a free one of the machine on the host network).
 * @throws WorkloadFailure (usage) when the flags contradict the image.
 */
export async function decideByImage(config: RunConfig, facts: ImageFacts): Promise<RunConfig> {
  const transport = config.transport === '' ? labelledTransport(config, facts) : config.transport;
  if (transport === 'stdio') {
    const idle = httpOnlyFlag(config);
    if (idle !== undefined) {
      throw new WorkloadFailure(
        'usage',
        `${idle} is for streamable-http servers; the image ${config.image} speaks stdio`,
      );
    }
    return { ...config, transport };
  }
  const mode = config.permission_profile.network.mode;
  if (mode === 'none') {
    throw new WorkloadFailure('usage', '--network none leaves no way to reach a streamable-http server', [
      '--transport stdio',
    ]);
  }
  if (config.target_port !== undefined) return { ...config, transport };
  const exposed = facts.ports.length === 1 ? facts.ports[0] : undefined;
  return { ...config, transport, target_port: exposed ?? (mode === 'host' ? await freePort() : USUAL_PORT) };
}
