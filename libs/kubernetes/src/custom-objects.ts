import type { ConfigurationOptions } from '@kubernetes/client-node';
import type { KubernetesClient, KubernetesConnection, KubernetesObject } from './client.ts';
import { getPath, listPage, type ListedPage, type PageQuery, type Resource } from './collection.ts';
import { KubernetesApiError, toKubernetesApiError } from './errors.ts';

/** The time limit of one request. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Names that form the path of one object. Others, such as `..`, would form another path. */
const NAME = /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/;

/** Writes refuse members that the schema of the resource does not have. */
const WRITE_OPTIONS = { fieldValidation: 'Strict', fieldManager: 'gatehouse' };

/** A custom resource in one namespace. */
export interface NamespacedResource extends Resource {
  namespace: string;
}

/** Sends one request. */
type Request<Answer> = (connection: KubernetesConnection, options: ConfigurationOptions) => Promise<Answer>;

/**
 * Reads and writes the objects of one custom resource in one namespace.
 *
 * Every method rejects with a KubernetesApiError when the API refuses the request, with a
 * `TimeoutError` when it does not answer in time, with a KubeconfigError, or with the network
 * error.
 */
export class CustomObjects {
  constructor(
    private readonly client: Pick<KubernetesClient, 'connect'>,
    private readonly resource: NamespacedResource,
    private readonly timeoutMs = REQUEST_TIMEOUT_MS,
  ) {}

  get(name: string, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.callObject(name, signal, ({ customObjects }, options) =>
      customObjects.getNamespacedCustomObject({ ...this.resource, name }, options),
    );
  }

  /** Lists one page, sorted by name. */
  list(query: PageQuery, signal?: AbortSignal): Promise<ListedPage> {
    return this.call(getPath(this.resource), signal, (connection, options) =>
      listPage(connection, this.resource, query, options),
    );
  }

  create(body: KubernetesObject, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.call(
      getPath(this.resource),
      signal,
      async ({ customObjects }, options) =>
        (await customObjects.createNamespacedCustomObject(
          { ...this.resource, ...WRITE_OPTIONS, body },
          options,
        )) as KubernetesObject,
    );
  }

  /**
   * Applies a JSON merge patch (RFC 7396) to the object without its status, or to its status alone.
   * A patch with `metadata.resourceVersion` is refused with 409 when the object has another
   * version.
   */
  patch(name: string, body: KubernetesObject, subresource?: 'status', signal?: AbortSignal): Promise<KubernetesObject> {
    return this.callObject(name, signal, ({ customObjects, createMergePatchOptions }, options) => {
      const patch = { ...this.resource, name, ...WRITE_OPTIONS, body };
      return subresource === undefined
        ? customObjects.patchNamespacedCustomObject(patch, createMergePatchOptions(options))
        : customObjects.patchNamespacedCustomObjectStatus(patch, createMergePatchOptions(options));
    });
  }

  /** Deletes an object. The API refuses it with 409 when the object has another version. */
  async delete(name: string, resourceVersion: string, signal?: AbortSignal): Promise<void> {
    await this.callObject(name, signal, ({ customObjects, createDeleteOptions }, options) => {
      const body = createDeleteOptions(resourceVersion);
      return customObjects.deleteNamespacedCustomObject({ ...this.resource, name, body }, options);
    });
  }

  private async callObject(
    name: string,
    signal: AbortSignal | undefined,
    request: Request<unknown>,
  ): Promise<KubernetesObject> {
    const path = `${getPath(this.resource)}/${name}`;
    if (!NAME.test(name)) throw this.createNotFoundError(name, path);
    return (await this.call(path, signal, request)) as KubernetesObject;
  }

  private async call<Answer>(path: string, signal: AbortSignal | undefined, request: Request<Answer>): Promise<Answer> {
    const connection = await this.client.connect();
    const limit = AbortSignal.timeout(this.timeoutMs);
    const options = connection.createOptions(signal === undefined ? limit : AbortSignal.any([signal, limit]));
    try {
      return await request(connection, options);
    } catch (error) {
      throw toKubernetesApiError(error, path, { keepBody: true });
    }
  }

  /** The error of the API for a name that no object has. */
  private createNotFoundError(name: string, path: string): KubernetesApiError {
    const { group, plural } = this.resource;
    const details = { name, group, kind: plural, causes: [] };
    return new KubernetesApiError(404, path, { body: { kind: 'Status', reason: 'NotFound', message: '', details } });
  }
}
