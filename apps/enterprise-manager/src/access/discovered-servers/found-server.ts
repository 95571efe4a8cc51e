import { classifyAddress } from '@gatehouse/egress/address';
import type { KubernetesObject } from '@gatehouse/kubernetes/client';
import { hostOf, isAddress, readTarget } from '@gatehouse/egress/target';
import type { Transport } from '../connectors/connector.ts';

/** What an object of the cluster says of its own state, in few words. */
export type Health = 'ready' | 'degraded' | 'pending' | 'failed' | 'stopped' | 'unknown';

/** An MCP server that an object of the cluster describes. */
export interface FoundServer {
  /** UID of the object. */
  id: string;
  kind: string;
  name: string;
  namespace: string;
  endpoint: string;
  transport: Transport;
  /** Group of servers that the object belongs to, as its operator means it. */
  group: string | undefined;
  health: Health;
  description: string | undefined;
  /**
   * Whether a connector of it needs `allow_private_ips`, and may have it: the endpoint is a Service
   * of the object's own namespace, or the object says so.
   */
  allowPrivateIps: boolean;
}

/** Annotation with which any object is left out, and a Service is offered: `true`, or `false`. */
export const DISCOVER = 'gatehouse.dev/discover';

/** Application protocols that say that a port of a Service speaks MCP. */
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
 * The server of a custom resource, whoever's operator it is: the address from `status.url`, else
 * `spec.remoteUrl` or `spec.url`, else the Service of the same name at `spec.deployment.port`; the
 * rest from fields that operators share. Undefined while it has no address that may be called.
 */
export function serverOfResource(object: KubernetesObject, kind: string): FoundServer | undefined {
  const [spec, status] = [record(object['spec']), record(object['status'])];
  const identity = identityOf(object, kind);
  if (identity === undefined) return undefined;
  const transport = transportOf(spec);
  const address = addressOf(spec, status, identity, transport);
  const endpoint = address === undefined ? undefined : endpointOf(address);
  if (endpoint === undefined) return undefined;
  return {
    ...identity,
    endpoint: endpoint.href,
    transport,
    group: text(record(spec['groupRef'])['name']) ?? text(spec['group']),
    health: healthOf(status),
    description: descriptionOf(text(spec['description']) ?? annotationsOf(object)['gatehouse.dev/description']),
    allowPrivateIps: isServiceOf(endpoint, identity.namespace) || spec['allowPrivateEndpoint'] === true,
  };
}

/**
 * The server behind a Service that is annotated with `gatehouse.dev/discover: "true"`, or one of
 * whose ports has an application protocol of MCP. Its port is that one, else the one that
 * `gatehouse.dev/mcp-port` names (name or number), else the one called `mcp`, else the first.
 */
export function serverOfService(object: KubernetesObject): FoundServer | undefined {
  const spec = record(object['spec']);
  const identity = identityOf(object, 'Service');
  if (identity === undefined || spec['type'] === 'ExternalName') return undefined;
  const annotations = annotationsOf(object);
  const ports = list(spec['ports']).map(record);
  const speaking = ports.find(({ appProtocol }) => MCP_PROTOCOLS.has(text(appProtocol) ?? ''));
  if (speaking === undefined && annotations[DISCOVER] !== 'true') return undefined;
  const wanted = annotations['gatehouse.dev/mcp-port'];
  const port =
    wanted === undefined
      ? (speaking ?? ports.find(({ name }) => name === 'mcp') ?? ports[0])
      : ports.find(({ name, port: number }) => name === wanted || String(number) === wanted);
  if (port === undefined) return undefined;
  const transport: Transport = annotations['gatehouse.dev/mcp-transport'] === 'sse' ? 'sse' : 'streamable-http';
  const scheme = port['name'] === 'https' || port['appProtocol'] === 'https' ? 'https' : 'http';
  const path = annotations['gatehouse.dev/mcp-path'] ?? pathOf(transport);
  const endpoint = endpointOf(
    `${scheme}://${serviceHost(identity)}:${String(port['port'])}/${path.replace(/^\/+/, '')}`,
  );
  if (endpoint === undefined) return undefined;
  return {
    ...identity,
    endpoint: endpoint.href,
    transport,
    group: annotations['gatehouse.dev/group'],
    health: 'unknown',
    description: descriptionOf(annotations['gatehouse.dev/description']),
    allowPrivateIps: true,
  };
}

/**
 * What two spellings of one endpoint have in common: the case of the host, its trailing dot, the
 * default port, the cluster's own domain and a slash at the end of the path make no other endpoint.
 * Undefined for what is no URL.
 */
export function endpointKey(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  const host = hostOf(url).replace(/\.svc\.cluster\.local$/, '.svc');
  return `${url.protocol}//${host}:${url.port}${url.pathname.replace(/\/+$/, '')}${url.search}`;
}

/**
 * Servers without those that another one before it has the endpoint of, by namespace, name and
 * kind.
 */
export function withoutRepeats(servers: readonly FoundServer[]): FoundServer[] {
  const seen = new Set<string>();
  return servers
    .filter(({ endpoint }) => {
      const key = endpointKey(endpoint) ?? endpoint;
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => order(a.namespace, b.namespace) || order(a.name, b.name) || order(a.kind, b.kind));
}

type Identity = Pick<FoundServer, 'id' | 'kind' | 'name' | 'namespace'>;

function identityOf(object: KubernetesObject, kind: string): Identity | undefined {
  const metadata = record(object['metadata']);
  const [id, name, namespace] = [text(metadata['uid']), text(metadata['name']), text(metadata['namespace'])];
  if (id === undefined || name === undefined || namespace === undefined) return undefined;
  if (metadata['deletionTimestamp'] !== undefined || annotationsOf(object)[DISCOVER] === 'false') return undefined;
  return { id: id.toLowerCase(), kind, name, namespace };
}

function addressOf(
  spec: KubernetesObject,
  status: KubernetesObject,
  identity: Identity,
  transport: Transport,
): string | undefined {
  const own = text(status['url']);
  if (own !== undefined) return withPath(own, transport);
  const remote = text(spec['remoteUrl']) ?? text(spec['url']);
  if (remote !== undefined) return remote;
  const port = record(spec['deployment'])['port'];
  if (typeof port !== 'number') return undefined;
  const path = text(record(spec['httpTransport'])['path']) ?? pathOf(transport);
  return `http://${serviceHost(identity)}:${port}/${path.replace(/^\/+/, '')}`;
}

/**
 * Operators report the address of a proxy without the path that it serves MCP at, and an SSE one
 * with a fragment that names the server.
 */
function withPath(address: string, transport: Transport): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.hash = '';
  if (url.pathname === '/') url.pathname = pathOf(transport);
  return url.href;
}

/** The URL, if it is one that may ever be called. */
function endpointOf(address: string): URL | undefined {
  try {
    const url = readTarget(address);
    const forbidden = isAddress(url) && classifyAddress(hostOf(url)) === 'forbidden';
    return forbidden || url.href.length > URL_LENGTH ? undefined : url;
  } catch {
    return undefined;
  }
}

/**
 * How clients reach the server: what a proxy in front of a stdio server speaks, else the server's
 * own transport.
 */
function transportOf(spec: KubernetesObject): Transport {
  const own = text(spec['transport']) ?? text(spec['protocol']) ?? '';
  const spoken = own === 'stdio' ? (text(spec['proxyMode']) ?? '') : own;
  return spoken.toLowerCase() === 'sse' ? 'sse' : 'streamable-http';
}

function healthOf(status: KubernetesObject): Health {
  const phase = text(status['phase']);
  if (phase !== undefined) return PHASES[phase.toLowerCase()] ?? 'unknown';
  const conditions = list(status['conditions']).map(record);
  const said = ['Ready', 'Accepted'].flatMap((type) => conditions.filter((one) => one['type'] === type))[0];
  if (said === undefined) return 'unknown';
  return said['status'] === 'True' ? 'ready' : said['status'] === 'False' ? 'failed' : 'pending';
}

/**
 * By the names that the cluster alone answers: behind any other domain anybody may say where
 * `<service>.<namespace>.svc` is.
 */
function isServiceOf(endpoint: URL, namespace: string): boolean {
  const [, within, ...domain] = hostOf(endpoint).split('.');
  return within === namespace && ['svc', CLUSTER_DOMAIN].includes(domain.join('.'));
}

const serviceHost = ({ name, namespace }: Identity) => `${name}.${namespace}.${CLUSTER_DOMAIN}`;

const pathOf = (transport: Transport) => (transport === 'sse' ? '/sse' : '/mcp');

/** Text of somebody in the cluster as a connector may carry it. */
function descriptionOf(said: string | undefined): string | undefined {
  const plain = said
    ?.toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, '')
    .slice(0, DESCRIPTION_LENGTH)
    .toWellFormed()
    .trim();
  return plain === '' ? undefined : plain;
}

function annotationsOf(object: KubernetesObject): Readonly<Record<string, string | undefined>> {
  return record(record(object['metadata'])['annotations']) as Record<string, string>;
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const record = (value: unknown): KubernetesObject =>
  typeof value === 'object' && value !== null ? (value as KubernetesObject) : {};
