import { setTimeout as sleep } from 'node:timers/promises';
import { parseMilliseconds } from '../configuration/config-values.ts';
import { createEgressPolicy } from '../configuration/network-plan.ts';
import { getErrorMessage } from '../errors/workload-error.ts';
import { listAddressedHosts } from '../isolation/addressed-hosts.ts';
import { PROXY_PORT } from '../isolation/egress-ports.ts';
import type { ServedPorts } from '../isolation/workload-rules.ts';
import type { ServerAddress } from '../runtime/workload-server.ts';
import type { NetworkAttachment } from './container-spec.ts';
import { inspectContainer, removeContainer } from './containers.ts';
import { connectEgress, type EgressContainer, startEgress } from './egress-container.ts';
import { disconnectEgress, removeIdleEgress } from './egress-removal.ts';
import { EgressLostError, EgressSession, RulesRefusedError } from './egress-session.ts';
import { listIngressPorts } from './egress-spec.ts';
import { EngineResponseError } from './engine.ts';
import { listMachineAddresses } from './host-routes.ts';
import { createIsolationError } from './isolation-error.ts';
import type { WorkloadContext } from './workload-context.ts';
import { getIsolatedAddresses } from './subnets.ts';
import { ensureNetwork, type WorkloadNetwork } from './workload-networks.ts';

/** The longest time until the egress container listens, where the configuration names none. */
const START_TIMEOUT_MS = 60_000;
/** Pause before the restart of an egress container that ended, and its longest value. */
const RESTART_MS = 500;
const LONGEST_RESTART_MS = 30_000;
/** The numbers of the networks for hosts begin at a multiple of it, above those of all slots. */
const HOST_NETWORKS = 1_000;
/** Attempts to start an egress container that the end of another workload removes. */
const ATTEMPTS = 5;

/** The internal networks of one container of the server. */
interface SlotNetworks {
  readonly main: WorkloadNetwork;
  /** One for each addressed host, in the order of the hosts. */
  readonly hosts: readonly WorkloadNetwork[];
}

/** The egress container of a workload, with the connection to it. */
interface Egress {
  readonly container: EgressContainer;
  readonly session: EgressSession;
  /** Where the ports of the server are reached, by the last rules. */
  served: ServedPorts;
}

/**
 * The isolation of the network of one workload: its rules in the egress container, and its internal
 * networks. Each container of the server has internal networks of its own, so that it reaches no
 * other one. It has one, and one more for each host that needs an address of its own.
 */
export class NetworkIsolation {
  readonly #context: WorkloadContext;
  readonly #progress: (text: string) => void;
  readonly #hosts: readonly string[];
  readonly #networks = new Map<number, SlotNetworks>();
  readonly #joining = new Map<number, Promise<void>>();
  /** The calls of `join` that may still create a network. */
  readonly #pending = new Set<Promise<NetworkAttachment>>();
  #egress: Promise<Egress> | undefined;
  #onRestart: (() => void) | undefined;
  #restarts = 0;
  /** Counts launches and stops, so that the end of an earlier container starts no other one. */
  #generation = 0;

  constructor(context: WorkloadContext, progress: (text: string) => void) {
    this.#context = context;
    this.#hosts = listAddressedHosts(createEgressPolicy(context.config));
    this.#progress = progress;
  }

  /** @param listener called after a restart of the egress container, whose address can differ */
  onRestart(listener: () => void): void {
    this.#onRestart = listener;
  }

  /** Starts the egress container, unless it runs, and puts the rules of the workload into force. */
  async start(): Promise<void> {
    await this.#start();
  }

  /**
   * Returns the network for a container of the server.
   * @param slot number from 1; two containers that run at the same time have different ones
   */
  join(slot: number): Promise<NetworkAttachment> {
    const joining = this.#join(slot);
    this.#pending.add(joining);
    const settle = () => this.#pending.delete(joining);
    joining.then(settle, settle);
    return joining;
  }

  async #join(slot: number): Promise<NetworkAttachment> {
    const egress = await this.#start();
    if (!this.#networks.has(slot)) await this.#connect(egress, slot);
    const { main: network, hosts } = this.#networks.get(slot) ?? { main: egress.container.inside, hosts: [] };
    const { egress: address, server } = getIsolatedAddresses(network.subnet);
    const { transport } = this.#context.config;
    const { isPodman } = egress.container;
    return {
      network: network.id,
      others: hosts.map(({ id }) => id),
      isolation: { proxyUrl: `http://${address}:${PROXY_PORT}`, nameserver: address, disablesIpv6: isPodman },
      ...(transport !== 'stdio' && { address: server }),
    };
  }

  /** Finds the address at which a port of the server is reached from this machine. */
  async locate(port: number): Promise<ServerAddress> {
    const { engine, config } = this.#context;
    const { container, served } = await this.#start();
    if (!container.isShared && (config.target_host !== undefined || !container.isLocal)) {
      const published = (await inspectContainer(engine, container.id))?.published[`${port}/tcp`];
      if (published !== undefined) return { host: config.target_host ?? engine.host, port: published };
    }
    const at = served.ports[String(port)];
    if (at === undefined) throw new Error('the container of network isolation does not serve the port');
    return { host: served.address, port: at };
  }

  /** Ends the rules of the workload, and the egress container that serves no other one. */
  async stop(): Promise<void> {
    this.#generation += 1;
    const starting = this.#egress;
    this.#egress = undefined;
    if (starting === undefined) return;
    const egress = await starting.catch(() => undefined);
    await Promise.allSettled(this.#pending);
    if (egress === undefined) return;
    egress.session.close();
    const { engine, home } = this.#context;
    if (!egress.container.isShared) {
      await removeContainer(engine, egress.container.id);
      return;
    }
    await disconnectEgress(engine, home, this.#listNetworks());
    await removeIdleEgress(engine, home);
  }

  #start(): Promise<Egress> {
    this.#egress ??= this.#launch().catch((error: unknown) => {
      this.#egress = undefined;
      throw error;
    });
    return this.#egress;
  }

  async #launch(): Promise<Egress> {
    const { name } = this.#context.config;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt();
      } catch (error) {
        const isEnded = error instanceof EngineResponseError && [404, 409].includes(error.status);
        if ((error instanceof EgressLostError || isEnded) && attempt < ATTEMPTS) continue;
        if (error instanceof EgressLostError || error instanceof RulesRefusedError)
          throw createIsolationError(name, error.message);
        throw error;
      }
    }
  }

  async #attempt(): Promise<Egress> {
    const { engine, log } = this.#context;
    const container = await startEgress(this.#context, this.#progress);
    this.#networks.set(1, { main: container.inside, hosts: await this.#ensureHostNetworks(1) });
    const session = new EgressSession(engine, container, log);
    try {
      for (const network of this.#listNetworks())
        if (network !== container.inside) await connectEgress(engine, container.id, network);
      const egress = { container, session, served: await this.#send(session, container) };
      this.#generation += 1;
      void this.#restartAfterEnd(egress, this.#generation);
      return egress;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** Puts the rules of the workload into force in all of its networks. */
  #send(session: EgressSession, { inside, isShared }: EgressContainer): Promise<ServedPorts> {
    const { engine, config } = this.#context;
    const rules = {
      workload: config.name,
      addresses: this.#listNetworks().map(getEgressAddress),
      policy: createEgressPolicy(config),
      hosts: [...this.#networks.values()].flatMap(({ main, hosts }) =>
        hosts.map((network, at) => ({
          host: this.#hosts[at] ?? '',
          address: getEgressAddress(network),
          nameserver: getEgressAddress(main),
        })),
      ),
      machine: engine.address.startsWith('unix:') ? listMachineAddresses() : [],
      nameserver: config.egress_nameserver,
      ingress: listIngressPorts(config, getIsolatedAddresses(inside.subnet).server, isShared),
    };
    return session.send(rules, parseMilliseconds(config.start_timeout, START_TIMEOUT_MS));
  }

  #ensureHostNetworks(slot: number): Promise<WorkloadNetwork[]> {
    return Promise.all(this.#hosts.map((_, at) => ensureNetwork(this.#context, slot * HOST_NETWORKS + at, 'internal')));
  }

  #listNetworks(): WorkloadNetwork[] {
    return [...this.#networks.values()].flatMap(({ main, hosts }) => [main, ...hosts]);
  }

  async #connect(egress: Egress, slot: number): Promise<void> {
    const joining = this.#joining.get(slot) ?? this.#addNetwork(egress, slot);
    this.#joining.set(slot, joining);
    try {
      await joining;
    } finally {
      this.#joining.delete(slot);
    }
  }

  async #addNetwork({ container, session }: Egress, slot: number): Promise<void> {
    const [main, hosts] = await Promise.all([
      ensureNetwork(this.#context, slot, 'internal'),
      this.#ensureHostNetworks(slot),
    ]);
    for (const network of [main, ...hosts]) await connectEgress(this.#context.engine, container.id, network);
    this.#networks.set(slot, { main, hosts });
    try {
      await this.#send(session, container);
    } catch (error) {
      this.#networks.delete(slot);
      throw error;
    }
  }

  /** Starts the egress container again after its end. */
  async #restartAfterEnd({ session }: Egress, generation: number): Promise<void> {
    const { log } = this.#context;
    const began = performance.now();
    const reason = await session.ended;
    const isOver = () => this.#generation !== generation;
    if (isOver()) return;
    this.#egress = undefined;
    log(`the container of network isolation ended: ${reason}`);
    if (performance.now() - began > LONGEST_RESTART_MS) this.#restarts = 0;
    for (;;) {
      this.#restarts += 1;
      await sleep(Math.min(RESTART_MS * 2 ** this.#restarts, LONGEST_RESTART_MS), undefined, { ref: false });
      if (isOver()) return;
      try {
        await this.#start();
        this.#onRestart?.();
        return;
      } catch (error) {
        log(`network isolation does not start again: ${getErrorMessage(error)}`);
      }
    }
  }
}

const getEgressAddress = ({ subnet }: WorkloadNetwork): string => getIsolatedAddresses(subnet).egress;
