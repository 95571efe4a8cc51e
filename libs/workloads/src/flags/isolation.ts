import { flagError } from '../errors/workload-error.ts';

/** Whether a network mode can be isolated: the bridge of the workload alone. */
export const canIsolate = (mode: string): boolean => mode === '';

/**
 * Decides on the isolation of a new workload. It is the default; networks that cannot be isolated
 * drop it.
 * @param typed the value of `--isolate-network`; undefined without the flag
 * @param mode see getNetworkMode
 * @throws WorkloadError (usage) when the flag asks for it on such a network
 */
export function chooseIsolation(typed: boolean | undefined, mode: string): boolean {
  if (canIsolate(mode)) return typed ?? true;
  if (typed === true && mode !== 'none')
    throw flagError(
      '--isolate-network',
      `cannot be enforced with --network ${mode}`,
      '--network bridge   gives the workload a network of its own',
    );
  return false;
}

/** Returns the warning for a network on which the default isolation is dropped. */
export function createIsolationWarning(typed: boolean | undefined, mode: string): string | undefined {
  if (typed !== undefined || canIsolate(mode) || mode === 'none') return undefined;
  return `With --network ${mode} the network of the server is not isolated: its permission profile does not limit connections.`;
}
