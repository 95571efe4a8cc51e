import type { Socket } from 'node:net';

/**
 * Open connections of the servers of one workload, in all of its networks. A connection takes up to
 * 140 KB, and the memory of the egress part is also that of other workloads.
 */
const MAX_CONNECTIONS = 512;

/** Counts the open connections of one workload. */
export class ConnectionLimit {
  #open = 0;

  /** @returns false for a connection beyond the limit, which is closed */
  admit(client: Socket): boolean {
    if (this.#open >= MAX_CONNECTIONS) {
      client.destroy();
      return false;
    }
    this.#open += 1;
    client.once('close', () => (this.#open -= 1));
    return true;
  }
}
