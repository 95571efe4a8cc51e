import { classifyAddress } from '@gatehouse/egress/address';
import type { KubernetesObject } from '@gatehouse/kubernetes/client';
import { getHost, isAddress, readTarget } from '@gatehouse/egress/target';
import type { Transport } from '../connectors/connector.ts';

/** The state that an object of the cluster reports. */
export type Health = 'ready' | 'degraded' | 'pending' | 'failed' | 'stopped' | 'unknown';

/** An MCP server that an object of the cluster describes. */
export interface ClusterServer {
  /** UID of the object. */
  id: string;
  kind: string;
  name: string;
  namespace: string;
  endpoint: string;
  transport: Transport;
  /** The group of servers that the operator assigned. */
  group: string | undefined;
  health: Health;
  description: string | undefined;
  /**
   * Whether its connector gets `allow_private_ips`: if the endpoint is a Service of the object's
   * namespace, or if the object allows it.
   */
  allowPrivateIps: boolean;
}

/** Annotation: `false` excludes an object, `true` includes a Service. */
export const DISCOVER = 'gatehouse.dev/discover';

/** Application protocols of Service ports that mean MCP. */
const MCP_PROTOCOLS = new Set(['gatehouse.dev/mcp', 'agentgateway.dev/mcp', 'kgateway.dev/mcp']);

const CLUSTER_DOMAIN = 'svc.cluster.local';
const DESCRIPTION_LENGTH = 2_000;
const URL_LENGTH = 2_048;

const PHASES: Readonly<Record<string, Health>> = {
  ready: 'ready',
  valid: 'ready',
  running: 'ready',
  degraded: 'degraded',
  pending: 'pending',
  failed: 'failed',
  error: 'failed',
  stopped: 'stopped',
  terminating: 'stopped',
};

/**
 * Reads the server of a custom resource of any operator. The address is `status.url`, or
 * `spec.remoteUrl` or `spec.url`, or the Service of the same name at `spec.deployment.port`. The
 * rest comes from fields that operators share. Returns undefined without an address that may be
 * called.
 */
export function readCustomResource(object: KubernetesObject, kind: string): ClusterServer | undefined {
  const [spec, status] = [record(object['spec']), record(object['status'])];
  const identity = readIdentity(object, kind);
  if (identity === undefined) return undefined;
  const transport = getTransport(spec);
  const address = findAddress(spec, status, identity, transport);
  const endpoint = address === undefined ? undefined : readEndpoint(address);
  if (endpoint === undefined) return undefined;
  return {
    ...identity,
    endpoint: endpoint.href,
    transport,
    group: readText(record(spec['groupRef'])['name']) ?? readText(spec['group']),
    health: getHealth(status),
    description: cleanDescription(readText(spec['description']) ?? getAnnotations(object)['gatehouse.dev/description']),
    allowPrivateIps: isServiceOf(endpoint, identity.namespace) || spec['allowPrivateEndpoint'] === true,
  };
}

/**
 * Reads the server behind a Service with the annotation `gatehouse.dev/discover: "true"` or a port
 * with an application protocol of MCP. The port is the one of `gatehouse.dev/mcp-port` (name or
 * number), or the one with the protocol, or the one named `mcp`, or the first one.
 */
export function readService(object: KubernetesObject): ClusterServer | undefined {
  const spec = record(object['spec']);
  const identity = readIdentity(object, 'Service');
  if (identity === undefined || spec['type'] === 'ExternalName') return undefined;
  const annotations = getAnnotations(object);
  const ports = list(spec['ports']).map(record);
  const withProtocol = ports.find(({ appProtocol }) => MCP_PROTOCOLS.has(readText(appProtocol) ?? ''));
  if (withProtocol === undefined && annotations[DISCOVER] !== 'true') return undefined;
  const wanted = annotations['gatehouse.dev/mcp-port'];
  const port =
    wanted === undefined
      ? (withProtocol ?? ports.find(({ name }) => name === 'mcp') ?? ports[0])
      : ports.find(({ name, port: number }) => name === wanted || String(number) === wanted);
  if (port === undefined) return undefined;
  const transport: Transport = annotations['gatehouse.dev/mcp-transport'] === 'sse' ? 'sse' : 'streamable-http';
  const scheme = port['name'] === 'https' || port['appProtocol'] === 'https' ? 'https' : 'http';
  const path = annotations['gatehouse.dev/mcp-path'] ?? getPath(transport);
  const endpoint = readEndpoint(
    `${scheme}://${getServiceHost(identity)}:${String(port['port'])}/${path.replace(/^\/+/, '')}`,
  );
  if (endpoint === undefined) return undefined;
  return {
    ...identity,
    endpoint: endpoint.href,
    transport,
    group: annotations['gatehouse.dev/group'],
    health: 'unknown',
    description: cleanDescription(annotations['gatehouse.dev/description']),
    allowPrivateIps: true,
  };
}

/**
 * Returns the same key for all spellings of an endpoint: they may differ in the case of the host,
 * its trailing dot, the default port, the domain of the cluster and a slash at the end of the path.
 * Returns undefined if the text is not a URL.
 */
export function getEndpointKey(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  const host = getHost(url).replace(/\.svc\.cluster\.local$/, '.svc');
  return `${url.protocol}//${host}:${url.port}${url.pathname.replace(/\/+$/, '')}${url.search}`;
}

/** Removes servers with the endpoint of an earlier one; sorts by namespace, name and kind. */
export function removeDuplicates(servers: readonly ClusterServer[]): ClusterServer[] {
  const seen = new Set<string>();
  return servers
    .filter(({ endpoint }) => {
      const key = getEndpointKey(endpoint) ?? endpoint;
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => order(a.namespace, b.namespace) || order(a.name, b.name) || order(a.kind, b.kind));
}

type Identity = Pick<ClusterServer, 'id' | 'kind' | 'name' | 'namespace'>;

function readIdentity(object: KubernetesObject, kind: string): Identity | undefined {
  const metadata = record(object['metadata']);
  const [id, name, namespace] = [
    readText(metadata['uid']),
    readText(metadata['name']),
    readText(metadata['namespace']),
  ];
  if (id === undefined || name === undefined || namespace === undefined) return undefined;
  if (metadata['deletionTimestamp'] !== undefined || getAnnotations(object)[DISCOVER] === 'false') return undefined;
  return { id: id.toLowerCase(), kind, name, namespace };
}

function findAddress(
  spec: KubernetesObject,
  status: KubernetesObject,
  identity: Identity,
  transport: Transport,
): string | undefined {
  const own = readText(status['url']);
  if (own !== undefined) return addPath(own, transport);
  const remote = readText(spec['remoteUrl']) ?? readText(spec['url']);
  if (remote !== undefined) return remote;
  const port = record(spec['deployment'])['port'];
  if (typeof port !== 'number') return undefined;
  const path = readText(record(spec['httpTransport'])['path']) ?? getPath(transport);
  return `http://${getServiceHost(identity)}:${port}/${path.replace(/^\/+/, '')}`;
}

/**
 * Completes the address that an operator reports: without the path of MCP, or, for SSE, with a
 * fragment that names the server.
 */
function addPath(address: string, transport: Transport): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.hash = '';
  if (url.pathname === '/') url.pathname = getPath(transport);
  return url.href;
}

/** Returns the URL, or undefined if it may never be called. */
function readEndpoint(address: string): URL | undefined {
  try {
    const url = readTarget(address);
    const forbidden = isAddress(url) && classifyAddress(getHost(url)) === 'forbidden';
    return forbidden || url.href.length > URL_LENGTH ? undefined : url;
  } catch {
    return undefined;
  }
}

/** The transport for clients: that of the proxy of a stdio server, or that of the server. */
function getTransport(spec: KubernetesObject): Transport {
  const own = readText(spec['transport']) ?? readText(spec['protocol']) ?? '';
  const served = own === 'stdio' ? (readText(spec['proxyMode']) ?? '') : own;
  return served.toLowerCase() === 'sse' ? 'sse' : 'streamable-http';
}

function getHealth(status: KubernetesObject): Health {
  const phase = readText(status['phase']);
  if (phase !== undefined) return PHASES[phase.toLowerCase()] ?? 'unknown';
  const conditions = list(status['conditions']).map(record);
  const reported = ['Ready', 'Accepted'].flatMap((type) => conditions.filter((one) => one['type'] === type))[0];
  if (reported === undefined) return 'unknown';
  return reported['status'] === 'True' ? 'ready' : reported['status'] === 'False' ? 'failed' : 'pending';
}

/**
 * Whether the host is a Service of the namespace. Only the names that the cluster itself resolves
 * count: with another domain its owner decides where `<service>.<namespace>.svc` is.
 */
function isServiceOf(endpoint: URL, namespace: string): boolean {
  const [, within, ...domain] = getHost(endpoint).split('.');
  return within === namespace && ['svc', CLUSTER_DOMAIN].includes(domain.join('.'));
}

const getServiceHost = ({ name, namespace }: Identity) => `${name}.${namespace}.${CLUSTER_DOMAIN}`;

const getPath = (transport: Transport) => (transport === 'sse' ? '/sse' : '/mcp');

/** Cleans a description from the cluster for a connector. */
function cleanDescription(description: string | undefined): string | undefined {
  const plain = description
    ?.toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, '')
    .slice(0, DESCRIPTION_LENGTH)
    .toWellFormed()
    .trim();
  return plain === '' ? undefined : plain;
}

function getAnnotations(object: KubernetesObject): Readonly<Record<string, string | undefined>> {
  return record(record(object['metadata'])['annotations']) as Record<string, string>;
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const record = (value: unknown): KubernetesObject =>
  typeof value === 'object' && value !== null ? (value as KubernetesObject) : {};
