import type { RunConfig } from '../../configuration/run-config.ts';
import type { EgressPolicy } from '../../isolation/egress-policy.ts';

/** The settings of the program in the pod of a proxy. */
export interface PodSettings {
  /** The configuration of the workload, without its variables and secrets. */
  readonly config: RunConfig;
  readonly ports: { readonly mcp: number; readonly health: number; readonly metrics?: number };
  readonly namespace: string;
  /** The name of the StatefulSet of the server. */
  readonly statefulSet: string;
  /** The address of the Service of an HTTP server. Names would need a nameserver. */
  readonly serverAddress?: string;
  /** Certificates that the proxy trusts for its issuer, PEM. */
  readonly certificates?: string;
  /** The names of the Service in the cluster, which clients send as Host. */
  readonly hosts: readonly string[];
  /** The egress part of an isolated server: its rules, and the address of its Service. */
  readonly egress?: { readonly policy: EgressPolicy; readonly address: string };
}

/** Parses the settings. They are written by gatehouse itself. */
export const readPodSettings = (text: string | undefined): PodSettings => JSON.parse(text ?? '') as PodSettings;
