import type { RegistryPermissions } from '../document/publisher-extension.ts';
import {
  getPublisherExtension,
  type ServerEntry,
  type ServerPackage,
  type ServerRemote,
} from '../document/server-entry.ts';
import { UnsupportedServerError } from '../registry-error.ts';
import { createPackageSource, SUPPORTED_TYPES } from './package-source.ts';
import type { LocalServer, RegistryServer, RemoteServer, ServerArguments } from './registry-server.ts';
import { flattenArguments } from './server-arguments.ts';
import { readPackageVariables, toServerVariable } from './server-variables.ts';

/**
 * Maps an entry to what a run needs. An image is preferred to a package of npm, that to a package
 * of PyPI, and that to an address.
 * @throws UnsupportedServerError that names the entry and the field
 */
export function createRegistryServer(entry: ServerEntry): RegistryServer {
  const packages = entry.packages ?? [];
  for (const type of SUPPORTED_TYPES) {
    const index = packages.findIndex(({ registryType }) => registryType === type);
    const declared = packages[index];
    if (declared !== undefined) return createLocalServer(entry, declared, `packages[${index}]`);
  }
  const [remote] = entry.remotes ?? [];
  if (remote !== undefined) return createRemoteServer(entry, remote);
  const types = packages.map(({ registryType }) => registryType);
  throw new UnsupportedServerError(
    entry.name,
    'packages',
    types.length === 0
      ? 'and remotes are empty'
      : `have the types ${types.join(', ')}; supported are ${SUPPORTED_TYPES.join(', ')}`,
  );
}

function createLocalServer(entry: ServerEntry, declared: ServerPackage, field: string): LocalServer {
  const extension = getPublisherExtension(entry, declared.identifier);
  const { variables, warnings } = readPackageVariables(declared);
  return {
    ...pickFacts(entry, declared.identifier),
    kind: declared.registryType === 'oci' ? 'container' : 'package',
    source: createPackageSource(entry.name, field, declared),
    transport: declared.transport.type,
    targetPort: declared.transport.type === 'stdio' ? undefined : readPort(declared.transport.url),
    permissions: checkPermissions(entry.name, extension.permissions),
    environment: variables,
    arguments: chooseArguments(declared, extension.args ?? []),
    provenance: extension.provenance,
    warnings,
  };
}

function createRemoteServer(entry: ServerEntry, { url, type, headers = [] }: ServerRemote): RemoteServer {
  const { protocol, username, password } = URL.parse(url) ?? {};
  if ((protocol !== 'https:' && protocol !== 'http:') || username || password)
    throw new UnsupportedServerError(
      entry.name,
      'remotes[0].url',
      'must be an https URL without user name and password',
    );
  return {
    ...pickFacts(entry, url),
    kind: 'remote',
    url,
    transport: type,
    headers: headers.map((header) => toServerVariable(header.name, header)),
    oauth: getPublisherExtension(entry, url).oauth_config,
    warnings: [],
  };
}

function pickFacts(entry: ServerEntry, identifier: string) {
  const {
    status = entry.status,
    proxy_port: proxyPort,
    stateless = false,
    tools = [],
    tags = [],
  } = getPublisherExtension(entry, identifier);
  const { name, title, description, version, repository } = entry;
  return {
    ...{ name, title, description, version, repository: repository?.url },
    ...{ deprecated: status === 'deprecated', proxyPort, stateless, tools, tags },
  };
}

/** The port of an address such as `http://localhost:8080/mcp`; undefined where it is a template. */
function readPort(url: string): number | undefined {
  const port = Number(URL.parse(url)?.port);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

/** A registry cannot give a container all rights of the machine. */
function checkPermissions(
  server: string,
  permissions: RegistryPermissions | undefined,
): RegistryPermissions | undefined {
  if (permissions?.privileged === true)
    throw new UnsupportedServerError(server, 'permissions.privileged', 'is true, and no registry may grant that', [
      `--permission-profile FILE   a profile that you wrote yourself`,
    ]);
  return permissions;
}

/** The arguments of the package, else those of the publisher's extension. */
function chooseArguments(declared: ServerPackage, args: readonly string[]): ServerArguments {
  const { packageArguments = [] } = declared;
  return packageArguments.length > 0 ? flattenArguments(packageArguments) : { values: args, missing: [] };
}
