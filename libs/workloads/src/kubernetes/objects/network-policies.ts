import { planNetwork } from '../../configuration/network-plan.ts';
import { DNS_PORT, listTransparentPorts, PROXY_PORT } from '../../isolation/egress-ports.ts';
import {
  type ClusterObject,
  createObjectLabels,
  createPodSelector,
  getNames,
  type ObjectParts,
} from './cluster-object.ts';

/** The port of metrics of OpenTelemetry. */
const METRICS_PORT = 9_464;

/** The ports of the pod of the proxy. */
export interface ProxyPorts {
  /** The port for MCP clients. */
  readonly mcp: number;
  /** The port for the probes of the kubelet. */
  readonly health: number;
  /** The port for `/metrics`; undefined: there is none. */
  readonly metrics?: number;
  /** The TCP ports of the egress part, and DNS on UDP too; empty without isolation. */
  readonly egress: readonly number[];
}

/** Selects the ports of the pod of the proxy, where the egress part needs those of the profile. */
export function choosePorts({ config }: Pick<ObjectParts, 'config'>): ProxyPorts {
  const plan = planNetwork(config);
  const egress = plan.kind === 'isolated' ? [DNS_PORT, PROXY_PORT, ...listTransparentPorts(plan.policy)] : [];
  const free = Array.from({ length: egress.length + 3 }, (_, index) => 8080 + index).filter(
    (port) => !egress.includes(port),
  );
  const [mcp = 0, health = 0, otherMetrics = 0] = free;
  if (config.telemetry_config?.enablePrometheusMetricsPath !== true) return { mcp, health, egress };
  const metrics = config.telemetry_config.prometheusPort || METRICS_PORT;
  return { mcp, health, egress, metrics: [mcp, health, ...egress].includes(metrics) ? otherMetrics : metrics };
}

/** The ports of the proxy that every pod reaches. */
const listOpenPorts = ({ mcp, health, metrics }: ProxyPorts): number[] =>
  metrics === undefined ? [mcp, health] : [mcp, health, metrics];

/**
 * Creates the policies of a workload: only the proxy reaches the server, and an isolated server
 * reaches only the egress part, which applies the rules for hosts.
 */
export function createNetworkPolicies(parts: ObjectParts): ClusterObject[] {
  const { proxy, server } = getNames(parts);
  const ports = choosePorts(parts);
  const labels = createObjectLabels(parts);
  const select = (component: 'proxy' | 'server') => ({
    podSelector: { matchLabels: createPodSelector(parts, component) },
  });
  const isIsolated = ports.egress.length > 0;
  const egressPorts = [{ protocol: 'UDP', port: DNS_PORT }, ...ports.egress.map((port) => ({ protocol: 'TCP', port }))];
  const apiVersion = 'networking.k8s.io/v1';
  const kind = 'NetworkPolicy';
  const { transport, target_port: target } = parts.config;
  return [
    {
      apiVersion,
      kind,
      metadata: { name: server, labels },
      spec: {
        ...select('server'),
        policyTypes: ['Ingress', ...(isIsolated ? ['Egress'] : [])],
        ingress: transport === 'stdio' ? [] : [{ from: [select('proxy')], ports: [{ protocol: 'TCP', port: target }] }],
        ...(isIsolated && { egress: [{ to: [select('proxy')], ports: egressPorts }] }),
      },
    },
    {
      apiVersion,
      kind,
      metadata: { name: proxy, labels },
      spec: {
        ...select('proxy'),
        policyTypes: ['Ingress'],
        ingress: [
          { ports: listOpenPorts(ports).map((port) => ({ protocol: 'TCP', port })) },
          ...(isIsolated ? [{ from: [select('server')], ports: egressPorts }] : []),
        ],
      },
    },
  ];
}
