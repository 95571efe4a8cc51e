import { WorkloadError } from '../errors/workload-error.ts';
import { EXPOSED } from '../isolation/workload-rules.ts';

/** The way to run a server without isolation, for messages. */
export const OPT_OUT = '--isolate-network=false   runs the server in a network that reaches the internet';

/** The error for an engine that gives its machine an address in internal networks. */
export function createExposedError(name: string): WorkloadError {
  return new WorkloadError(
    'failed',
    `The network of ${name} cannot be isolated: the container engine gives its machine an address in internal networks, ` +
      'so that the server would reach services there',
    ['Docker 20.10 or newer can isolate networks', OPT_OUT],
  );
}

/** The error for an egress container that ended, with its last line. */
export function createIsolationError(name: string, reason: string): WorkloadError {
  if (reason.startsWith(EXPOSED)) return createExposedError(name);
  return new WorkloadError(
    'failed',
    `The network of ${name} cannot be isolated: its egress container does not work (${reason})`,
    [`gatehouse logs ${name} --proxy   shows its log`, OPT_OUT],
  );
}
