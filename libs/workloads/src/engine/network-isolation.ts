import { setTimeout as sleep } from 'node:timers/promises';
import { parseMilliseconds } from '../configuration/config-values.ts';
import { getErrorMessage } from '../errors/workload-error.ts';
import { LISTENING } from '../isolation/sidecar-settings.ts';
import { PROXY_PORT } from '../isolation/egress-server.ts';
import type { ServerAddress } from '../runtime/workload-server.ts';
import { OutputDemultiplexer } from './container-output.ts';
import { inspectContainer, killContainer, removeContainer } from './containers.ts';
import { connectEgress, type EgressContainer, startEgress } from './egress-container.ts';
import type { NetworkAttachment } from './container-spec.ts';
import { createIsolationError } from './isolation-error.ts';
import type { WorkloadContext } from './workload-context.ts';
import { containsAddress, getIsolatedAddresses } from './subnets.ts';
import { ensureNetwork, type WorkloadNetwork } from './workload-networks.ts';

/** The longest time until the egress container listens, where the configuration names none. */
const START_TIMEOUT_MS = 60_000;
/** Pause before the restart of an egress container that ended, and its longest value. */
const RESTART_MS = 500;
const LONGEST_RESTART_MS = 30_000;

/** The waiting for one line of the egress container. */
interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The isolation of the network of one workload: its egress container and its internal networks.
 * Each container of the server has an internal network of its own, so that it reaches no other one.
 */
export class NetworkIsolation {
  readonly #context: WorkloadContext;
  readonly #progress: (text: string) => void;
  readonly #networks = new Map<number, WorkloadNetwork>();
  readonly #listening = new Set<string>();
  readonly #waiting = new Map<string, Set<Waiting>>();
  #egress: Promise<EgressContainer> | undefined;
  #onRestart: (() => void) | undefined;
  #restarts = 0;
  /** Counts launches and stops, so that the end of an earlier container starts no other one. */
  #generation = 0;

  constructor(context: WorkloadContext, progress: (text: string) => void) {
    this.#context = context;
    this.#progress = progress;
  }

  /** @param listener called after a restart of the egress container, whose address can differ */
  onRestart(listener: () => void): void {
    this.#onRestart = listener;
  }

  /** Starts the egress container, unless it runs. */
  start(): Promise<EgressContainer> {
    this.#egress ??= this.#launch().catch((error: unknown) => {
      this.#egress = undefined;
      throw error;
    });
    return this.#egress;
  }

  /**
   * Returns the network for a container of the server.
   * @param slot number from 1; two containers that run at the same time have different ones
   */
  async join(slot: number): Promise<NetworkAttachment> {
    const egress = await this.start();
    const network = slot === 1 ? egress.inside : await this.#connect(egress, slot);
    const { egress: address, server } = getIsolatedAddresses(network.subnet);
    await this.#waitUntilListening(address);
    const { transport } = this.#context.config;
    return {
      network: network.id,
      isolation: { proxyUrl: `http://${address}:${PROXY_PORT}`, nameserver: address },
      ...(transport !== 'stdio' && { address: server }),
    };
  }

  /** Finds the address at which a port of the server is reached from this machine. */
  async locate(port: number): Promise<ServerAddress> {
    const { engine, config } = this.#context;
    const { id, outside, isLocal } = await this.start();
    const info = await inspectContainer(engine, id);
    const published = info?.published[`${port}/tcp`];
    if (published !== undefined && (config.target_host !== undefined || !isLocal))
      return { host: config.target_host ?? engine.host, port: published };
    const address = info?.addresses.find((one) => containsAddress(outside.subnet, one));
    if (address === undefined) throw new Error('the container of network isolation has no address');
    return { host: address, port };
  }

  /** Removes the egress container. */
  async stop(): Promise<void> {
    this.#generation += 1;
    const starting = this.#egress;
    this.#egress = undefined;
    if (starting === undefined) return;
    const egress = await starting.catch(() => undefined);
    if (egress !== undefined) await removeContainer(this.#context.engine, egress.id);
  }

  async #launch(): Promise<EgressContainer> {
    const egress = await startEgress(this.#context, this.#progress);
    this.#listening.clear();
    this.#networks.set(1, egress.inside);
    void this.#follow(egress);
    for (const [slot, network] of this.#networks)
      if (slot !== 1) await connectEgress(this.#context.engine, egress.id, network);
    if (egress.isAdopted || this.#networks.size > 1) await killContainer(this.#context.engine, egress.id, 'SIGHUP');
    return egress;
  }

  async #connect(egress: EgressContainer, slot: number): Promise<WorkloadNetwork> {
    const known = this.#networks.get(slot);
    if (known !== undefined) return known;
    const network = await ensureNetwork(this.#context, slot, 'internal');
    await connectEgress(this.#context.engine, egress.id, network);
    this.#networks.set(slot, network);
    await killContainer(this.#context.engine, egress.id, 'SIGHUP');
    return network;
  }

  #waitUntilListening(address: string): Promise<void> {
    if (this.#listening.has(address)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const list = this.#waiting.get(address) ?? new Set();
      const settle = (act: () => void) => {
        clearTimeout(timer);
        list.delete(waiting);
        act();
      };
      const waiting: Waiting = {
        resolve: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      };
      const { name, start_timeout } = this.#context.config;
      const timeoutMs = parseMilliseconds(start_timeout, START_TIMEOUT_MS);
      const late = `it does not listen within ${timeoutMs / 1000} s`;
      const timer = setTimeout(() => waiting.reject(createIsolationError(name, late)), timeoutMs);
      this.#waiting.set(address, list.add(waiting));
    });
  }

  /** Reads the lines of the egress container until it ends, and then starts it again. */
  async #follow(egress: EgressContainer): Promise<void> {
    const { engine, config, log } = this.#context;
    let rest = '';
    let last = '';
    const began = performance.now();
    this.#generation += 1;
    const generation = this.#generation;
    const isOver = () => this.#generation !== generation;
    const demultiplexer = new OutputDemultiplexer((_stream, data) => {
      const lines = `${rest}${data.toString('utf8')}`.split('\n');
      rest = (lines.pop() ?? '').slice(-1000);
      for (const line of lines) {
        last = line;
        this.#take(line);
      }
    });
    try {
      const path = `/containers/${egress.id}/logs?stdout=1&stderr=1&follow=1`;
      for await (const chunk of await engine.stream('GET', path)) demultiplexer.push(chunk as Buffer);
    } catch (error) {
      last = getErrorMessage(error);
    }
    if (isOver()) return;
    const failure = createIsolationError(config.name, last === '' ? 'it ended' : last);
    for (const list of this.#waiting.values()) for (const waiting of list) waiting.reject(failure);
    this.#egress = undefined;
    log(`the container of network isolation ended: ${last}`);
    this.#restarts = performance.now() - began > LONGEST_RESTART_MS ? 0 : this.#restarts + 1;
    await sleep(Math.min(RESTART_MS * 2 ** this.#restarts, LONGEST_RESTART_MS), undefined, { ref: false });
    if (isOver()) return;
    await this.start().then(
      () => this.#onRestart?.(),
      (error: unknown) => log(`network isolation does not start again: ${getErrorMessage(error)}`),
    );
  }

  #take(line: string): void {
    if (line.startsWith(`${LISTENING} `)) {
      const address = line.slice(LISTENING.length + 1);
      this.#listening.add(address);
      for (const waiting of this.#waiting.get(address) ?? []) waiting.resolve();
    } else if (line !== '') this.#context.log(line);
  }
}
