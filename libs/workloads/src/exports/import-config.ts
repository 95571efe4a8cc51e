import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { requireBuiltSections } from '../configuration/built-sections.ts';
import { createBuildSection } from '../configuration/create-run-config.ts';
import { healIsolation, planNetwork } from '../configuration/network-plan.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { flagError } from '../errors/workload-error.ts';
import { resolveLogFile } from '../flags/audit.ts';
import type { AuthenticationSections } from '../flags/authentication-sections.ts';
import { type ClusterFlags, parseCluster } from '../flags/cluster-flags.ts';
import { mergeEnvironments, parseEnvironment } from '../flags/environment.ts';
import { DEFAULT_GROUP } from '../flags/group-name.ts';
import type { RemoteSections } from '../flags/remote-sections.ts';
import { parseRunFlags, type RunFlags } from '../flags/run-flags.ts';
import type { RunRequest } from '../flags/run-request.ts';
import { classifySource } from '../flags/source.ts';
import { requireUsableOverrides } from '../flags/tools.ts';
import { isWorkloadName } from '../flags/workload-name.ts';
import { createPermissionSection } from '../permissions/permission-section.ts';
import { readRequestedProfile } from '../permissions/requested-profile.ts';
import { isRenamed, readDocument } from './config-document.ts';
import { inFields, type Refuse } from './config-fields.ts';
import { createFlags } from './config-flags.ts';
import { liftAuthentication } from './lift-authentication.ts';
import { liftRemoteAuth } from './lift-remote-auth.ts';
import { liftTelemetry } from './lift-telemetry.ts';

/** The flags beside `--from-config`. */
export interface ImportOptions {
  /** The path as it was typed, for messages. */
  readonly path: string;
  readonly name: string | undefined;
  readonly group: string | undefined;
  readonly debug: boolean;
  /** The flags that select the runtime. Each one wins over its field of the document. */
  readonly cluster?: ClusterFlags;
  /** The folder to which relative paths of the document refer. */
  readonly folder: string;
  /** The ignore file of the user of this machine, which need not exist. */
  readonly globalIgnoreFile?: string | undefined;
  /** Completes the flags of builds with the settings of this machine. */
  readonly addBuildDefaults: (source: string, flags: RunFlags) => RunFlags;
}

/** A checked configuration, without the fields of a machine. */
export interface ImportedConfig {
  readonly config: RunConfig;
  /** The command line that has the same meaning. */
  readonly request: RunRequest;
}

/**
 * Reads and checks a configuration with the rules of the flags. The engine, the name of the
 * container and the range of networks of another machine have no effect.
 * @throws WorkloadError (usage) that names the file and the field
 */
export function importConfig(document: string, options: ImportOptions): ImportedConfig {
  const refuse = (problem: string, ...tryNext: string[]) =>
    flagError(`--from-config ${options.path}`, problem, ...tryNext);
  const read = inFields(refuse, () =>
    liftTelemetry(liftRemoteAuth(liftAuthentication(readDocument(document, options, refuse)))),
  );
  if (!isWorkloadName(read.name))
    throw refuse(`has the name ${JSON.stringify(read.name.slice(0, 120))}, which no workload can have`, '--name NAME');
  requireBuiltSections(read);
  const group = read.group || DEFAULT_GROUP;
  const cluster = chooseCluster(read, options.cluster ?? {}, refuse);
  const base = { ...read, group, base_name: read.name, debug: read.debug || options.debug };
  // A port that Gatehouse chose belongs to the name in the document.
  const isPortOfOther = isRenamed(document, read.name) || cluster.runtime === 'kubernetes';
  const named = isPortOfOther && !read.port_requested ? { ...base, port: 0 } : base;
  const config = named.transport === 'stdio' ? withoutHttpFields(named) : withoutDefaultHost(named);
  const source = getSource(config, refuse);
  const flags = options.addBuildDefaults(source, { ...createFlags(config), ...cluster });
  inFields(refuse, () => checkImageVariables(config));
  const audit = inFields(refuse, () => resolveLogFile(config.audit_config ?? {}, options.folder, '--audit-config'));
  inFields(refuse, () => requireUsableOverrides(config.tools_filter ?? [], config.tools_override ?? {}));
  const parsed = inFields(refuse, () => parseRunFlags(source, config.cmd_args, flags, options.folder));
  const { ignore_config, warnings } = readIgnoreSection(config, options);
  const request = { ...parsed, warnings: [...parsed.warnings, ...listIdleFields(config), ...warnings] };
  const permissions = inFields(refuse, () => createPermissions(config, options.folder));
  const volumes = request.mounts.map(({ source, target, readOnly }) => `${source}:${target}${readOnly ? ':ro' : ''}`);
  const { runtime_config: section, ...build } = createBuildSection(request.build);
  const rest = withoutMachineFields(healIsolation(config));
  inFields(refuse, () => planNetwork({ ...rest, ...permissions }));
  return {
    config: {
      ...{ ...rest, ...permissions, ...build, volumes, ignore_config },
      ...(config.audit_config && { audit_config: audit }),
      ...mergeAuthentication(config, request),
      ...mergeRemote(config, request),
      ...(request.telemetry && { telemetry_config: { ...config.telemetry_config, ...request.telemetry } }),
      ...(section !== undefined && { runtime_config: { ...config.runtime_config, ...section } }),
      ...(isIP(request.host) === 0 && { host_name: request.host }),
    },
    request,
  };
}

/** The machine of the import decides on these fields, or has them in the address of its runtime. */
function withoutMachineFields(config: RunConfig): RunConfig {
  const { host_name: _name, egress_nameserver: _nameserver, kubernetes: _kubernetes, ...rest } = config;
  const { runtime: _runtime, kube_context: _context, kube_namespace: _namespace, ...portable } = rest;
  return portable;
}

/**
 * Chooses the runtime: the flags, then the fields of the document. `--runtime engine` takes a
 * workload of a cluster to the container engine.
 */
function chooseCluster(config: RunConfig, flags: ClusterFlags, refuse: Refuse): ClusterFlags {
  const { runtime, kube_context: kubeContext, kube_namespace: kubeNamespace } = config;
  const exported = { runtime, kubeContext, kubeNamespace };
  inFields(refuse, () => parseCluster(exported));
  parseCluster({ ...flags, runtime: flags.runtime ?? runtime });
  if (flags.runtime === 'engine') return flags;
  const typed = Object.entries(flags).filter(([, value]) => value !== undefined);
  return { ...exported, ...Object.fromEntries(typed) };
}

/** The checked sections, with the members that this program does not know. */
function mergeAuthentication(
  { oidc_config: oidc, token_exchange_config: exchange }: RunConfig,
  { authentication }: RunRequest,
): AuthenticationSections {
  const { oidc_config: checkedOidc, token_exchange_config: checkedExchange, ...rest } = authentication;
  return {
    ...rest,
    ...(checkedOidc && { oidc_config: { ...oidc, ...checkedOidc } }),
    ...(checkedExchange && { token_exchange_config: { ...exchange, ...checkedExchange } }),
  };
}

/** See {@link mergeAuthentication}. */
function mergeRemote({ remote_auth_config: auth }: RunConfig, { remote }: RunRequest): RemoteSections {
  const { client_secret_file: _file, ...rest } = auth ?? {};
  return {
    ...remote,
    ...(remote.remote_auth_config && { remote_auth_config: { ...rest, ...remote.remote_auth_config } }),
  };
}

/** The variables of the image follow the rules of all variables. */
function checkImageVariables({ runtime_config: section, env_vars }: RunConfig): void {
  const variables = Object.entries(section?.runtime_env ?? {}).map(([key, value]) => `${key}=${value}`);
  mergeEnvironments(parseEnvironment(variables), env_vars);
}

/** An ignore file of another machine does not exist here, and the one of this machine applies. */
function readIgnoreSection(
  { ignore_config: section }: RunConfig,
  { folder, globalIgnoreFile }: Pick<ImportOptions, 'folder' | 'globalIgnoreFile'>,
) {
  const { global_file: typed, ...rest } = section ?? {};
  if (typed === undefined) return { ignore_config: section, warnings: [] };
  const file = resolve(folder, typed);
  if (existsSync(file)) return { ignore_config: { ...rest, global_file: file }, warnings: [] };
  const warning = `ignore_config.global_file ${typed} does not exist; the ignore file of this machine applies`;
  const isSilent = rest.LoadGlobal === false || file === globalIgnoreFile;
  return { ignore_config: rest, warnings: isSilent ? [] : [warning] };
}

/** Warns of fields that other programs write and none of them reads. */
const listIdleFields = ({ env_file_dir: folder }: RunConfig): string[] =>
  folder === undefined || folder === ''
    ? []
    : [`env_file_dir ${folder} has no effect: env_vars has the variables of its files`];

function getSource({ source, image, remote_url: url }: RunConfig, refuse: Refuse): string {
  if (url !== undefined && url !== '') {
    if (/^https?:/i.test(url) && inFields(refuse, () => classifySource(url)).kind === 'remote') return url;
    throw refuse('has a remote_url that is not an http or https URL');
  }
  if (source === undefined && image === '') throw refuse('has neither an image nor a source');
  const text = source ?? image;
  const kind = source === undefined ? 'image' : 'package';
  if (inFields(refuse, () => classifySource(text)).kind === kind) return text;
  throw refuse(
    `has the ${kind === 'image' ? 'image' : 'source'} ${JSON.stringify(text)}, which is not ${kind === 'image' ? 'an image' : 'a package'}`,
  );
}

/** Exports of other tools have a port and a host also for servers on standard streams. */
function withoutHttpFields(config: RunConfig): RunConfig {
  const { target_host: _host, target_port: _port, ...rest } = config;
  return { ...rest, stateless: false };
}

/** The default of `--target-host` stands for the container. */
function withoutDefaultHost(config: RunConfig): RunConfig {
  const { target_host: host, ...rest } = config;
  return host === undefined || host === '' || host === '127.0.0.1' ? rest : { ...rest, target_host: host };
}

/** A configuration without a profile has the one that it names, else the default. */
function createPermissions(
  { permission_profile: profile, permission_profile_name_or_path: named }: RunConfig,
  folder: string,
) {
  if (profile !== null) return {};
  const requested = named === undefined || named === '' ? undefined : readRequestedProfile(named, folder);
  return createPermissionSection({ profile: requested, network: undefined }, undefined);
}
