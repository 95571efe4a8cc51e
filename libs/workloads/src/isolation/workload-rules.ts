import { createHash } from 'node:crypto';
import type { HostAddress } from './addressed-hosts.ts';
import type { EgressPolicy } from './egress-policy.ts';
import type { IngressPort } from './ingress.ts';

/** The settings of an egress container. */
export interface SidecarSettings {
  /** The network with a way out, in CIDR notation. All others are internal. */
  readonly outside: string;
  /**
   * Whether to check that the machine of the engine has no address in the internal networks. The
   * supervisor checks it where it runs on that machine.
   */
  readonly probesGateways: boolean;
}

/** The rules of one workload, which its supervisor sends to the egress container. */
export interface WorkloadRules {
  readonly workload: string;
  /** Names the supervisor. Every line of the workload begins with it. */
  readonly session: string;
  /** Number of the message in its session; the answer has the same one. */
  readonly number: number;
  /** The addresses of the egress part in the internal networks of the workload; empty ends it. */
  readonly addresses: readonly string[];
  readonly policy: EgressPolicy;
  /** The hosts that have one of the addresses for themselves. */
  readonly hosts: readonly HostAddress[];
  /** Addresses of the machine of the engine, as far as they are known. */
  readonly machine: readonly string[];
  /** A nameserver instead of that of the container. */
  readonly nameserver?: string | undefined;
  readonly ingress: readonly IngressPort[];
}

/** Where the ports of a server are reached from outside. */
export interface ServedPorts {
  /** The address of the egress container in its network with a way out. */
  readonly address: string;
  /** The port of the egress container for each port of the server. */
  readonly ports: Readonly<Record<string, number>>;
}

/** The argument with which the program passes the next one on to that of the container. */
export const SEND = 'send';
/** The socket of the container for {@link SEND}. No other network namespace has it. */
export const CONTROL_SOCKET = '\0gatehouse-egress';

/** Begins the rest of a line about rules that are in force: number, and {@link ServedPorts}. */
export const SERVING = 'serving';
/** Begins the rest of a line about rules that cannot be in force: number, and the reason. */
export const FAILED = 'failed';
/** Begins the reason for an internal network in which the machine of the engine has an address. */
export const EXPOSED = 'exposed';

const computeDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Writes rules as one line. Several supervisors write to the same container, so that the engine can
 * mix long lines: a digest shows that a line is whole.
 */
export function writeRules(rules: WorkloadRules): string {
  const text = JSON.stringify(rules);
  return `${computeDigest(text)} ${text}\n`;
}

/** Reads a line of {@link writeRules}. @returns undefined for a line that is not whole */
export function readRules(line: string): WorkloadRules | undefined {
  const [, digest = '', text = ''] = /^([0-9a-f]{16}) (.*)$/s.exec(line) ?? [];
  return digest === computeDigest(text) ? (JSON.parse(text) as WorkloadRules) : undefined;
}

/** Parses the settings. They are written by gatehouse itself. */
export const readSettings = (text: string | undefined): SidecarSettings => JSON.parse(text ?? '') as SidecarSettings;
