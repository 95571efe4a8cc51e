/**
 * Entry point of the egress container. It has one network with a way out, and the internal networks
 * of the containers of servers. It connects both as the rules of each workload allow.
 *
 * Its argument is {@link SidecarSettings} as JSON. Supervisors write lines of `writeRules` to its
 * standard input or to its {@link CONTROL_SOCKET}, which no server reaches. Every line that it
 * prints begins with the session of the supervisor. It ends when it had no internal network for a
 * minute.
 */
import { createInterface } from 'node:readline';
import { lookup } from 'node:dns/promises';
import { connect, createServer } from 'node:net';
import type { Surroundings } from './address-rules.ts';
import { GATEWAY_NAMES } from './egress-policy.ts';
import { listOwnAddresses, type OwnAddress } from './own-addresses.ts';
import { WorkloadEgress } from './workload-egress.ts';
import {
  CONTROL_SOCKET,
  EXPOSED,
  FAILED,
  readRules,
  readSettings,
  SEND,
  type ServedPorts,
  SERVING,
  type WorkloadRules,
} from './workload-rules.ts';

/** Time in which a gateway with an address refuses or accepts a connection. */
const PROBE_MS = 150;
/** A port that no service uses. */
const PROBE_PORT = 1;
/** Pause between the checks for networks that were removed. */
const CHECK_MS = 5_000;
/** Checks without an internal network until the container ends. */
const IDLE_CHECKS = 12;

if (process.argv[2] === SEND) {
  const line = process.argv[3] ?? '';
  await new Promise(() => connect(CONTROL_SOCKET).end(line, () => process.exit()));
}

const settings = readSettings(process.argv[2]);
const print = (line: string) => process.stdout.write(`${line}\n`);
const listAddresses = () => listOwnAddresses(settings.outside);

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

const named = findGateways();
const workloads = new Map<string, WorkloadEgress>();

/** The present addresses around a workload. Each connection asks for them, because they change. */
function createSurroundings(gateways: readonly string[]): Omit<Surroundings, 'machine'> {
  const addresses = listAddresses();
  return {
    gateways: [...gateways, ...addresses.map(({ gateway }) => gateway)],
    own: addresses.map(({ address }) => address),
    networks: addresses.filter(({ isOutside }) => !isOutside).map(({ network }) => network),
  };
}

/** Ends the parts of workloads on addresses that this container has no longer. */
function releaseLost(addresses: readonly OwnAddress[]): void {
  for (const [name, workload] of workloads) {
    for (const address of workload.addresses)
      if (!addresses.some((own) => own.address === address)) workload.release(address);
    if (workload.addresses.length > 0) continue;
    workload.close();
    workloads.delete(name);
  }
}

/** Puts the rules of a workload into force. */
async function serve(rules: WorkloadRules): Promise<ServedPorts> {
  const addresses = listAddresses();
  releaseLost(addresses);
  let workload = workloads.get(rules.workload);
  if (rules.addresses.length === 0 || workload?.hasRules(rules) === false) {
    workload?.close();
    workloads.delete(rules.workload);
    workload = undefined;
  }
  const outside = addresses.find(({ isOutside }) => isOutside)?.address;
  if (outside === undefined) throw new Error('the egress container has no address outside');
  if (rules.addresses.length === 0) return { address: outside, ports: {} };
  // A network that was removed leaves its addresses to another workload.
  for (const [name, other] of workloads)
    if (name !== rules.workload) for (const address of rules.addresses) other.release(address);
  for (const address of workload?.addresses ?? []) if (!rules.addresses.includes(address)) workload?.release(address);
  const added = rules.addresses
    .filter((address) => workload?.addresses.includes(address) !== true)
    .map((address) => findInternal(addresses, address));
  const gateways = await named;
  workload ??= new WorkloadEgress(rules, print, () => createSurroundings(gateways));
  workloads.set(rules.workload, workload);
  const [ports, ...exposed] = await Promise.all([
    workload.apply(rules, added, outside),
    ...added.map(async ({ gateway }) => settings.probesGateways && (await isExposed(gateway)) && gateway),
  ]);
  const [gateway] = exposed.filter((one) => one !== false);
  if (gateway !== undefined) throw new Error(`${EXPOSED} ${gateway}`);
  return { address: outside, ports };
}

function findInternal(addresses: readonly OwnAddress[], address: string): OwnAddress {
  const own = addresses.find((one) => one.address === address && !one.isOutside);
  if (own === undefined) throw new Error(`the egress container has no address ${address}`);
  return own;
}

async function answer(rules: WorkloadRules): Promise<void> {
  const reply = (word: string, text: string) => print(`${rules.session} ${word} ${rules.number} ${text}`);
  try {
    reply(SERVING, JSON.stringify(await serve(rules)));
  } catch (error) {
    workloads.get(rules.workload)?.close();
    workloads.delete(rules.workload);
    reply(FAILED, error instanceof Error ? error.message : String(error));
  }
}

let last = Promise.resolve();
const take = (line: string) => {
  const rules = readRules(line);
  // A supervisor repeats a line that another one has broken.
  if (rules !== undefined) last = last.then(() => answer(rules));
};
createInterface({ input: process.stdin }).on('line', take);
createServer((client) => {
  client.on('error', () => client.destroy());
  createInterface({ input: client }).on('line', take);
}).listen(CONTROL_SOCKET);

let idle = 0;
setInterval(() => {
  const addresses = listAddresses();
  releaseLost(addresses);
  idle = addresses.some(({ isOutside }) => !isOutside) ? 0 : idle + 1;
  if (idle > IDLE_CHECKS) process.exit(0);
}, CHECK_MS);

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
process.on('unhandledRejection', (reason) => print(`unexpected: ${String(reason)}`));
