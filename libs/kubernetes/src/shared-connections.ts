import type { KubeConfig } from '@kubernetes/client-node';
import { isDeepStrictEqual } from 'node:util';
import { Agent, type buildConnector } from 'undici';

/**
 * Lets the requests of a configuration share connections. The library itself opens a connection
 * for each request. Connections with other certificates or keys are opened when these change.
 * Requests through the proxy of a kubeconfig (`proxy-url`) stay as they are.
 *
 * Connections use HTTP/1.1, so that a broken one fails one request and not every watch.
 *
 * @returns ends the connections without a request
 */
export function shareConnections(config: KubeConfig): () => void {
  const createOptions = config.createDispatcherOptions.bind(config);
  const authenticate = config.applySecurityAuthentication.bind(config);
  let shared: { connect: object; agent: Agent } | undefined;
  config.createDispatcherOptions = (cluster, agentOptions) => {
    const options = createOptions(cluster, agentOptions);
    if (options.type !== 'agent') {
      shared = undefined;
      return options;
    }
    const connect = options.connect as buildConnector.BuildOptions;
    if (!isDeepStrictEqual(shared?.connect, connect))
      shared = { connect, agent: new Agent({ connect, allowH2: false }) };
    return { type: 'none' };
  };
  config.applySecurityAuthentication = async (context) => {
    await authenticate(context);
    if (shared !== undefined) context.setDispatcher(shared.agent);
  };
  return () => void shared?.agent.close();
}
