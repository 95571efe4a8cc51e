/**
 * Entry point of the egress container of a workload. It has one network with a way out, and the
 * internal networks of the containers of the server. It connects both as its settings allow.
 *
 * Its argument is {@link SidecarSettings} as JSON. It prints `listening ADDRESS` for each internal
 * network, and a line for each refused connection. SIGHUP makes it listen in added networks.
 */
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Surroundings } from './address-rules.ts';
import { DenialLog } from './denial-log.ts';
import { createAddressLookup, Dialer } from './dialer.ts';
import { GATEWAY_NAMES } from './egress-policy.ts';
import { EgressServer } from './egress-server.ts';
import { createIngress } from './ingress.ts';
import { EXPOSED, LISTENING, readSettings } from './sidecar-settings.ts';

/** Time in which a gateway with an address refuses or accepts a connection. */
const PROBE_MS = 150;
/** A port that no service uses. */
const PROBE_PORT = 1;

const settings = readSettings(process.argv[2]);
const print = (line: string) => process.stdout.write(`${line}\n`);
const outside = ipaddr.IPv4.parseCIDR(settings.outside);

/** An address of this container, and that of the gateway of its network. */
interface OwnAddress {
  readonly address: string;
  readonly gateway: string;
  readonly isOutside: boolean;
}

function listOwnAddresses(): OwnAddress[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .flatMap(({ address, cidr, family, internal }) => {
      if (internal || family !== 'IPv4' || cidr === null) return [];
      const gateway = ipaddr.IPv4.networkAddressFromCIDR(cidr);
      gateway.octets[3] = (gateway.octets[3] ?? 0) + 1;
      return [{ address, gateway: gateway.toString(), isOutside: ipaddr.IPv4.parse(address).match(outside) }];
    });
}

/** Whether the machine of the engine has an address in an internal network. */
function isExposed(gateway: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: gateway, port: PROBE_PORT });
    const settle = (exposed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(exposed);
    };
    const timer = setTimeout(() => settle(false), PROBE_MS);
    socket.on('connect', () => settle(true));
    socket.on('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ECONNREFUSED'));
  });
}

/** Returns the addresses of the machine of the engine, as far as they have a name here. */
async function findGateways(): Promise<string[]> {
  const found = await Promise.all(GATEWAY_NAMES.map((name) => lookup(name, { all: true }).catch(() => [])));
  return found.flat().map(({ address }) => address);
}

const denials = new DenialLog(print);
const served = new Set<string>();
const own: string[] = [];
const gateways: string[] = [];
const surroundings: Surroundings = { gateways, own, machine: settings.machine };
const dialer = new Dialer(settings.policy, surroundings, createAddressLookup(settings.nameserver), denials);

/** Listens in the networks that are not served yet. */
async function serve(): Promise<void> {
  const addresses = listOwnAddresses();
  const added = addresses.filter(({ address }) => !served.has(address));
  // A supervisor that took over asks for the lines again.
  for (const { address, isOutside } of addresses)
    if (served.has(address) && !isOutside) print(`${LISTENING} ${address}`);
  for (const { address, gateway } of added) {
    served.add(address);
    own.push(address);
    gateways.push(gateway);
  }
  await Promise.all(
    added.map(async ({ address, gateway, isOutside }) => {
      if (isOutside) {
        for (const port of settings.ingress) createIngress(port).listen(port.port, address);
        return;
      }
      const [exposed] = await Promise.all([
        settings.probesGateways && isExposed(gateway),
        new EgressServer(dialer, address, denials).listen(),
      ]);
      if (exposed) throw new Error(`${EXPOSED} ${gateway}`);
      print(`${LISTENING} ${address}`);
    }),
  );
}

const serveOrEnd = () =>
  serve().catch((error: unknown) => {
    print(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
process.on('SIGHUP', () => void serveOrEnd());
process.on('unhandledRejection', (reason) => print(`unexpected: ${String(reason)}`));
gateways.push(...(await findGateways()));
await serveOrEnd();
