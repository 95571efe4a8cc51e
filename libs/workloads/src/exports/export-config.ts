import { type RunConfig, writeRunConfig } from '../configuration/run-config.ts';
import { isClusterAddress, parseClusterAddress } from '../flags/cluster-address.ts';

/** An exported configuration, and the variables whose values it shows. */
export interface ExportedConfig {
  /** The JSON document. It has references to secrets, and no value of one. */
  readonly document: string;
  /** Names of variables in clear that look like secrets. */
  readonly suspects: readonly string[];
}

/** Names of variables that usually hold a secret. */
const SUSPECT = /token|secret|passw|passphrase|credential|(?:api|private|access|auth)_?key|_auth$|_pat$|^pat$/i;

/**
 * Exports a configuration without the fields of this machine: the engine, the range of its networks
 * and its nameserver. A workload in a cluster keeps the names of its context and its namespace.
 * Fields that this program does not know are part of it.
 */
export function exportConfig(config: RunConfig): ExportedConfig {
  const { engine, network_range: _range, egress_nameserver: _nameserver, ...rest } = config;
  const { kubernetes: _kubernetes, ...portable } = rest;
  return {
    document: writeRunConfig({ ...portable, ...createClusterFields(engine), engine: '' }),
    suspects: listSuspects(config),
  };
}

/** Lists the values in clear that look like secrets: variables by their names, and the query. */
export const listSuspects = ({ env_vars, remote_url: url }: RunConfig): string[] => [
  ...Object.entries(env_vars)
    .filter(([name, value]) => value !== '' && SUSPECT.test(name))
    .map(([name]) => name),
  ...(url !== undefined && URL.parse(url)?.search ? ['the query of remote_url'] : []),
];

function createClusterFields(engine: string) {
  if (!isClusterAddress(engine)) return {};
  const { context, namespace } = parseClusterAddress(engine);
  return { runtime: 'kubernetes', kube_context: context, kube_namespace: namespace };
}
