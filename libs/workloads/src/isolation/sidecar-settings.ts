import type { EgressPolicy } from './egress-policy.ts';
import type { IngressPort } from './ingress.ts';

/** Begins the line of an internal network that is served. */
export const LISTENING = 'listening';
/** Begins the line of an internal network in which the machine of the engine has an address. */
export const EXPOSED = 'exposed';

/** The settings of an egress container. */
export interface SidecarSettings {
  readonly policy: EgressPolicy;
  /** The network with a way out, in CIDR notation. All others are internal. */
  readonly outside: string;
  /**
   * Whether to check that the machine of the engine has no address in the internal networks. The
   * supervisor checks it where it runs on that machine.
   */
  readonly probesGateways: boolean;
  /** Addresses of the machine of the engine, as far as they are known. */
  readonly machine: readonly string[];
  /** A nameserver instead of that of the container. */
  readonly nameserver: string | undefined;
  readonly ingress: readonly IngressPort[];
}

/** Parses the settings. They are written by gatehouse itself. */
export const readSettings = (text: string | undefined): SidecarSettings => JSON.parse(text ?? '') as SidecarSettings;
