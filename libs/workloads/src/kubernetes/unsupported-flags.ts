import { getMounts, getPublishedPorts } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { flagError } from '../errors/workload-error.ts';
import { DEFAULT_LIMITS } from '../flags/resource-limits.ts';
import type { TelemetryConfig } from '../flags/telemetry-section.ts';
import { hasSecretFile, listWebhooks } from '../flags/configured-webhooks.ts';
import type { WebhookConfig } from '../flags/webhook-schema.ts';

/** A flag without a meaning in a cluster: the flag with its value, the reason, and what to do. */
type Finding = readonly [typed: string, problem: string, ...tryNext: string[]];

/** The settings of the pod are one argument, of which Linux allows 128 KiB. */
const MAX_POLICIES_LENGTH = 96 * 1024;

const needsThisMachine = (webhook: WebhookConfig): boolean =>
  hasSecretFile(webhook) || [webhook.tls_config?.ca_bundle_path, webhook.tls_config?.client_cert_path].some(Boolean);

/**
 * Requires that a cluster can do everything that a configuration asks for.
 * @throws WorkloadError (usage) that names the flag
 */
export function requireClusterSupport(config: RunConfig): void {
  const found =
    findRemote(config) ?? findUnsupported(config) ?? findUnsupportedPass(config) ?? findUnsupportedFile(config);
  if (found !== undefined) throw flagError(...found);
}

/** Keys with these domains change how Kubernetes treats an object. */
const isLabelOfKubernetes = (key: string): boolean => /^(?:[^/]+\.)?(?:kubernetes|k8s)\.io\//.test(key);

/** The proxy of a remote server has the credentials of this machine. */
function findRemote({ name, remote_url: url }: RunConfig): Finding | undefined {
  if (url === undefined) return undefined;
  return [`${name} is a remote server, which`, 'has no pods: its proxy runs on this machine, with its credentials'];
}

function findUnsupportedFile({ oidc_config: oidc, jwks_auth_token_file: file }: RunConfig): Finding | undefined {
  const path = oidc?.AuthTokenFile || file;
  if (!path) return undefined;
  return [`--jwks-auth-token-file ${path}`, 'is a path of this machine, which the pod of the proxy does not have'];
}

function findUnsupported(config: RunConfig): Finding | undefined {
  const { permission_profile: profile, host, host_name, pids_limit: pids, audit_config: audit } = config;
  const [mount] = getMounts(config);
  if (mount !== undefined)
    return [
      mount.origin,
      'is a path of this machine, which pods do not have',
      'put the files into the image, or let the server read them over the network',
    ];
  const [port] = getPublishedPorts(config);
  if (port !== undefined)
    return [
      `--publish ${config.publish[0] ?? ''}`,
      'is for container engines; a Service of the cluster has the port of the proxy',
      `kubectl port-forward statefulset/${config.name}-server ${port.container}   reaches another port`,
    ];
  const mode = profile?.network?.mode ?? '';
  if (mode !== '' && mode !== 'bridge' && mode !== 'default')
    return [
      `--network ${mode}`,
      'is a network of a container engine; pods are in the network of the cluster',
      '--permission-profile PATH   names the hosts that the server reaches',
    ];
  if (audit?.logFile)
    return [
      `--audit-config with the logFile ${audit.logFile}`,
      'names a path of this machine; in a cluster the events are lines of the standard output of the proxy',
      `kubectl logs deployment/${config.name}`,
    ];
  const label = Object.keys(config.container_labels).find(isLabelOfKubernetes);
  if (label !== undefined)
    return [
      `--label ${label}`,
      'has a meaning for Kubernetes itself',
      'give a key with another prefix, or without one',
    ];
  if (config.target_host !== undefined)
    return [`--target-host ${config.target_host}`, 'is for container engines; the proxy reaches the pod of the server'];
  if (host !== '127.0.0.1' || host_name !== undefined)
    return [
      `--host ${host_name ?? host}`,
      'is an address of this machine; the proxy is a Service of the cluster',
      'an Ingress or a Gateway of the cluster makes the Service reachable from outside',
    ];
  if (config.allow_docker_gateway === true)
    return ['--allow-docker-gateway', 'is for container engines; a cluster has no gateway to this machine'];
  if (profile?.privileged === true)
    return ['privileged of the permission profile', 'is refused in a cluster, because the node belongs to others too'];
  if (pids !== undefined && pids !== DEFAULT_LIMITS.pids)
    return [
      `--pids-limit ${pids === 0 ? 'none' : pids}`,
      'cannot be set for one pod; the kubelet limits processes (podPidsLimit)',
      'leave out the flag',
    ];
  return undefined;
}

function findUnsupportedTelemetry({ environmentVariables: variables, caCertPath }: TelemetryConfig) {
  if (variables?.length)
    return [
      `--otel-env-vars ${variables.join(',')}`,
      'names variables of this machine, which the pod of the proxy does not have',
      '--otel-custom-attributes KEY=VALUE   has their values',
    ] as const;
  return caCertPath
    ? ([`telemetry_config.caCertPath ${caCertPath}`, 'is a path of this machine, which pods do not have'] as const)
    : undefined;
}

/** The parts of passes that the pod of the proxy cannot have. */
function findUnsupportedPass(config: RunConfig): Finding | undefined {
  const local = listWebhooks(config).find(({ webhook }) => needsThisMachine(webhook));
  if (local !== undefined)
    return [
      `--webhook-config: the webhook ${local.webhook.name}`,
      'has a file of this machine, which the pod of the proxy does not have',
      'gatehouse secret set NAME   stores the secret; give its name as hmac_secret_ref',
      'leave out the paths of tls_config',
    ];
  const telemetry = findUnsupportedTelemetry(config.telemetry_config ?? {});
  if (telemetry !== undefined) return telemetry;
  if (JSON.stringify(config.authz_config ?? {}).length > MAX_POLICIES_LENGTH)
    return [
      `--authz-config ${config.authz_config_path ?? ''}`,
      `has more than ${MAX_POLICIES_LENGTH / 1024} KiB, which the pod of the proxy cannot get`,
    ];
  return undefined;
}
