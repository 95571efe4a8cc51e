import { planNetwork } from '../configuration/network-plan.ts';
import type { Cluster } from './cluster.ts';
import type { LabelSelector, NetworkPolicy } from './network-policy.ts';
import { type Component, createPodLabels, INSTANCE_LABEL, type ObjectParts } from './objects/cluster-object.ts';

/**
 * API groups and DaemonSets of network plugins that enforce NetworkPolicies. Others can do so too,
 * and the absence of these names is no proof.
 */
const ENFORCING = new RegExp(
  [
    ...['projectcalico', 'calico-node', 'canal', 'cilium', 'antrea', 'ovn', 'weave-net', 'kindnet', 'azure-npm'],
    ...['kube-router', 'kube-network-policies', 'k3s\\.cattle\\.io', 'network\\.openshift\\.io'],
  ].join('|'),
);

/** Lists what weakens the isolation of a workload in its cluster, one sentence each. */
export async function listPolicyWarnings(cluster: Cluster, parts: ObjectParts, signal: AbortSignal): Promise<string[]> {
  const [policies, components] = await Promise.all([
    cluster.listNetworkPolicies(signal),
    isIsolated(parts) ? cluster.listComponents(signal) : ['cilium.io'],
  ]);
  const { name } = parts.config;
  const widening = listWideningPolicies(policies, parts);
  return [
    ...(components.some((component) => ENFORCING.test(component))
      ? []
      : [
          `no network plugin that enforces NetworkPolicies was found in the cluster; without one, ${name} reaches every address, and every pod reaches it`,
        ]),
    ...(widening.length === 0
      ? []
      : [
          `other NetworkPolicies of the namespace ${parts.namespace} select the pods of ${name}, and what they allow is added: ${widening.join(', ')}`,
        ]),
  ];
}

const isIsolated = ({ config }: ObjectParts): boolean => planNetwork(config).kind === 'isolated';

/**
 * Lists the names of the policies of others that allow a workload more than its own ones do. Rules
 * of several policies add up; one without rules takes nothing away.
 */
export function listWideningPolicies(policies: readonly NetworkPolicy[], parts: ObjectParts): string[] {
  const isolated = isIsolated(parts);
  const selects = ({ spec }: NetworkPolicy, component: Component) =>
    isSelected(spec?.podSelector ?? {}, createPodLabels(parts, component));
  const allows = ({ spec }: NetworkPolicy, type: 'Ingress' | 'Egress') =>
    spec?.policyTypes?.includes(type) === true && ((type === 'Ingress' ? spec.ingress : spec.egress) ?? []).length > 0;
  return policies
    .filter(({ metadata }) => metadata.labels?.[INSTANCE_LABEL] !== parts.instance)
    .filter(
      (policy) =>
        (selects(policy, 'server') && (allows(policy, 'Ingress') || (isolated && allows(policy, 'Egress')))) ||
        // Clients may reach the proxy, and only the server its egress part.
        (isolated && selects(policy, 'proxy') && allows(policy, 'Ingress')),
    )
    .map(({ metadata }) => metadata.name)
    .sort();
}

/** Whether labels fulfil a selector. An empty selector selects everything. */
function isSelected({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Record<string, string>) {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isListed = value !== undefined && values.includes(value);
      return operator === 'In' ? isListed : !isListed;
    })
  );
}
