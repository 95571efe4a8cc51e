import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import type { AuthenticatedUser } from '../access/access.ts';
import { createInvalidParamsError } from '../calls/client-call.ts';
import { type Plane, requireRequestScope } from '../calls/plane.ts';
import { requireResource } from '../calls/resources.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { ResourceMap, ServedResource } from '../catalog/resource-map.ts';
import { createTarget, getTargetKey, type UpstreamTarget } from '../upstreams/credential-identity.ts';

/** Most resources that one session or stream subscribes to, and the longest URI. */
export const MAX_SUBSCRIPTIONS = 100;
export const MAX_URI_LENGTH = 2_048;

/** Time in which updates of one resource are one notification. */
const MERGE_MS = 50;

/** An open stream that receives updates of resources. */
interface Subscriber {
  user: AuthenticatedUser;
  scope: EndpointScope;
  /** @param uri as the client knows it */
  notify: (uri: string) => void;
  /** The subscribed resources, by the client's URI. */
  resources: ReadonlyMap<string, ServedResource>;
  /** Updates to deliver: the client's URIs. */
  pending: Map<string, ServedResource>;
  timer: NodeJS.Timeout | undefined;
  /** Number of replacements so far; an older one must not overtake a newer one. */
  version: number;
}

/**
 * Delivers `notifications/resources/updated` of upstreams to exactly those open streams whose users
 * subscribed to the resource and may read it. An upstream is subscribed once for all of them.
 */
export class ResourceSubscriptions {
  private readonly subscribers = new Set<Subscriber>();

  constructor(private readonly plane: Plane) {}

  /**
   * Finds a resource that the user may subscribe to.
   * @throws RpcError for an unknown or hidden one
   */
  async requireSubscribable(user: AuthenticatedUser, scope: EndpointScope, uri: string): Promise<ServedResource> {
    const { access } = await requireRequestScope(this.plane, user);
    const resource = requireResource(await this.plane.offers.createResourceMap(access, scope), scope, uri);
    if (await this.isAnnounced(user, resource)) return resource;
    throw createInvalidParamsError('the connector of this resource announces no updates');
  }

  /** The resources among these URIs that the user may subscribe to, by URI. */
  async findSubscribable(
    user: AuthenticatedUser,
    scope: EndpointScope,
    uris: readonly string[],
  ): Promise<Map<string, ServedResource>> {
    const found = new Map<string, ServedResource>();
    if (uris.length === 0) return found;
    const { access } = await requireRequestScope(this.plane, user);
    const map = await this.plane.offers.createResourceMap(access, scope);
    for (const uri of uris) {
      const resource = findUnambiguous(map, scope, uri);
      if (resource !== undefined && (await this.isAnnounced(user, resource).catch(() => false)))
        found.set(uri, resource);
    }
    return found;
  }

  /** Whether the upstream of a resource announces its updates. */
  private async isAnnounced(user: AuthenticatedUser, { connector }: ServedResource): Promise<boolean> {
    const { resources } = await this.plane.upstreams.getCapabilities(createTarget(connector, user));
    return isJsonObject(resources) && resources['subscribe'] === true;
  }

  /** Adds an open stream, without subscriptions. */
  open(user: AuthenticatedUser, scope: EndpointScope, notify: (uri: string) => void): OpenSubscriptions {
    const state = { resources: new Map(), pending: new Map(), timer: undefined, version: 0 };
    const subscriber: Subscriber = { user, scope, notify, ...state };
    this.subscribers.add(subscriber);
    return {
      set: (uris) => this.set(subscriber, uris),
      end: () => {
        this.subscribers.delete(subscriber);
        clearTimeout(subscriber.timer);
        void this.replace(subscriber, new Map());
      },
    };
  }

  /** Receives an update from an upstream. @param uri the connector's own; it may be a part */
  receive(target: UpstreamTarget, uri: string): void {
    const key = getTargetKey(target);
    for (const subscriber of this.subscribers)
      for (const [requestedUri, resource] of subscriber.resources) {
        if (getResourceKey(subscriber, resource) !== key || !isPartOf(uri, resource.uri)) continue;
        // A part has no URI that the client knows, so the subscribed resource counts as updated.
        subscriber.pending.set(requestedUri, resource);
        subscriber.timer ??= setTimeout(() => void this.deliver(subscriber), MERGE_MS).unref();
      }
  }

  /** Replaces the subscriptions of a stream. URIs that the user cannot read have no effect. */
  private async set(subscriber: Subscriber, uris: readonly string[]): Promise<void> {
    const version = (subscriber.version += 1);
    try {
      const resources = await this.findSubscribable(subscriber.user, subscriber.scope, uris);
      if (this.subscribers.has(subscriber) && subscriber.version === version) await this.replace(subscriber, resources);
    } catch (error) {
      this.plane.log.warn({ err: error }, 'the subscriptions of an open stream could not be changed');
    }
  }

  private async replace(subscriber: Subscriber, resources: ReadonlyMap<string, ServedResource>): Promise<void> {
    const concerned = [...subscriber.resources.values(), ...resources.values()];
    subscriber.resources = resources;
    const all = concerned.map(({ connector }) => createTarget(connector, subscriber.user));
    const targets = new Map(all.map((target) => [getTargetKey(target), target]));
    await Promise.all(
      [...targets].map(([key, target]) => this.plane.upstreams.setSubscriptions(target, this.listSubscribed(key))),
    );
  }

  private listSubscribed(targetKey: string): ReadonlySet<string> {
    const uris = [...this.subscribers].flatMap((subscriber) =>
      [...subscriber.resources.values()]
        .filter((resource) => getResourceKey(subscriber, resource) === targetKey)
        .map(({ uri }) => uri),
    );
    return new Set(uris);
  }

  /** Delivers the pending updates that the user may still read. */
  private async deliver(subscriber: Subscriber): Promise<void> {
    const { user, scope, pending } = subscriber;
    subscriber.pending = new Map();
    subscriber.timer = undefined;
    try {
      const { access } = await requireRequestScope(this.plane, user);
      for (const [requestedUri, { connector, uri }] of pending)
        if (
          subscriber.resources.has(requestedUri) &&
          (scope.slug === undefined || scope.slug === connector.slug) &&
          access.isAllowed(connector, { kind: 'resource', name: uri })
        )
          subscriber.notify(requestedUri);
    } catch (error) {
      this.plane.log.warn({ err: error }, 'updates of resources could not be delivered');
    }
  }
}

/** The subscriptions of one open stream. */
export interface OpenSubscriptions {
  /** Replaces them. @param uris as the client knows them */
  set(uris: readonly string[]): Promise<void>;
  end(): void;
}

/** The key of the connector of a resource, with the credential of the subscriber. */
const getResourceKey = ({ user }: Subscriber, { connector }: ServedResource): string =>
  getTargetKey(createTarget(connector, user));

function findUnambiguous(map: ResourceMap, scope: EndpointScope, uri: string): ServedResource | undefined {
  try {
    return requireResource(map, scope, uri);
  } catch {
    return undefined;
  }
}

/** Whether a URI is the subscribed one or below it (MCP, server/resources, subscriptions). */
const isPartOf = (uri: string, subscribed: string): boolean =>
  uri === subscribed || uri.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`);
