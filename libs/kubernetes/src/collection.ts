import type { ConfigurationOptions } from '@kubernetes/client-node';
import type { KubernetesConnection, KubernetesObject } from './client.ts';

/** A resource type of a cluster, in one namespace or in all of them. */
export interface Resource {
  /** API group; empty for the core group. */
  group: string;
  version: string;
  /** Name of the type in paths, such as `services`. */
  plural: string;
  /** Undefined for all namespaces. */
  namespace: string | undefined;
}

/** Objects of a collection at one resource version. */
export interface Listing {
  items: KubernetesObject[];
  /** Kind of the items. Items of a list do not always carry their own kind. */
  kind: string;
  resourceVersion: string;
}

/** One page of a collection. */
export interface ListedPage extends Listing {
  /** Token of the next page; absent on the last one. */
  continue?: string;
  /** Number of objects after this page. The API leaves it out with a selector. */
  remainingItemCount?: number;
}

/** A page as the library returns it. Its generated classes rename `continue` to `_continue`. */
interface Page {
  kind?: string;
  items?: KubernetesObject[] | null;
  metadata?: { resourceVersion?: string; continue?: string; _continue?: string; remainingItemCount?: number };
}

/** The content of a page of a list. */
export interface PageQuery {
  /** The largest number of objects. */
  limit: number;
  /** Token of the page before. */
  continue?: string | undefined;
  labelSelector?: string | undefined;
}

/** The time limit for all pages of one list. */
const LIST_TIMEOUT_MS = 30_000;
const PAGE_SIZE = 500;

/** Path of a collection, as lists and watches use it. */
export function getPath({ group, version, plural, namespace }: Resource): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${plural}`;
}

/**
 * Lists a collection in pages of one resource version.
 * @throws ApiException of @kubernetes/client-node, or the network error
 */
export async function listAll(
  connection: KubernetesConnection,
  resource: Resource,
  signal: AbortSignal,
): Promise<Listing> {
  const options = connection.createOptions(AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]));
  const items: KubernetesObject[] = [];
  let next: string | undefined;
  for (;;) {
    const page = await listPage(connection, resource, { limit: PAGE_SIZE, continue: next }, options);
    items.push(...page.items);
    next = page.continue;
    if (next === undefined) return { items, kind: page.kind, resourceVersion: page.resourceVersion };
  }
}

/**
 * Lists one page of a collection.
 * @throws ApiException of @kubernetes/client-node, or the network error
 */
export async function listPage(
  connection: KubernetesConnection,
  resource: Resource,
  query: PageQuery,
  options: ConfigurationOptions,
): Promise<ListedPage> {
  const { kind = '', items, metadata = {} } = await requestPage(connection, resource, query, options);
  // An answer of something else than a Kubernetes API must not look like an empty collection.
  if (!metadata.resourceVersion) throw new Error('the Kubernetes API sent a list without a resourceVersion');
  const next = metadata._continue ?? metadata.continue;
  return {
    items: items ?? [],
    kind: kind.replace(/List$/, ''),
    resourceVersion: metadata.resourceVersion,
    ...(next && { continue: next }),
    ...(metadata.remainingItemCount !== undefined && { remainingItemCount: metadata.remainingItemCount }),
  };
}

async function requestPage(
  { core, customObjects }: KubernetesConnection,
  { group, version, plural, namespace }: Resource,
  { limit, continue: next, labelSelector }: PageQuery,
  options: ConfigurationOptions,
): Promise<Page> {
  const page = {
    limit,
    ...(next !== undefined && { _continue: next }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
  if (group !== '') {
    const query = { group, version, ...page };
    return (await (namespace === undefined
      ? customObjects.listCustomObjectForAllNamespaces({ ...query, resourcePlural: plural }, options)
      : customObjects.listNamespacedCustomObject({ ...query, plural, namespace }, options))) as Page;
  }
  if (plural !== 'services') throw new Error(`the client cannot list ${plural} of the core group`);
  return (await (namespace === undefined
    ? core.listServiceForAllNamespaces(page, options)
    : core.listNamespacedService({ ...page, namespace }, options))) as unknown as Page;
}
