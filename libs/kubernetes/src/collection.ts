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

/** All objects of a collection at one resource version. */
export interface Listing {
  items: KubernetesObject[];
  /** Kind of the items. Items of a list do not always carry their own kind. */
  kind: string;
  resourceVersion: string;
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
    const page = await listPage(connection, resource, next, options);
    items.push(...(page.items ?? []));
    next = page.metadata?._continue ?? page.metadata?.continue;
    if (!next)
      return {
        items,
        kind: (page.kind ?? '').replace(/List$/, ''),
        resourceVersion: page.metadata?.resourceVersion ?? '',
      };
  }
}

/** A page of a list. Generated classes of the library rename `continue` to `_continue`. */
interface Page {
  kind?: string;
  items?: KubernetesObject[] | null;
  metadata?: { resourceVersion?: string; continue?: string; _continue?: string };
}

async function listPage(
  { core, customObjects }: KubernetesConnection,
  { group, version, plural, namespace }: Resource,
  next: string | undefined,
  options: ConfigurationOptions,
): Promise<Page> {
  const page = { limit: PAGE_SIZE, ...(next !== undefined && { _continue: next }) };
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
