import { Readable } from 'node:stream';
import { type Dispatcher, fetch, type Response } from 'undici';
import type { KubernetesClient, KubernetesObject } from './client.ts';
import { toKubernetesApiError } from './errors.ts';

/** The time limit of one request. */
const REQUEST_TIMEOUT_MS = 10_000;

/** One request to a Kubernetes API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the address of the API, without the query. Its parts are escaped. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Whether an error keeps the `Status` of the response, which can repeat members of the body. */
  readonly keepBody?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends requests about objects of any type, and reads logs. Each method rejects with a
 * KubernetesApiError when the API refuses the request, with a `TimeoutError` when it does not
 * answer in time, with a KubeconfigError, or with the network error.
 */
export class ApiRequests {
  constructor(
    private readonly client: Pick<KubernetesClient, 'connect'>,
    private readonly timeoutMs = REQUEST_TIMEOUT_MS,
  ) {}

  /** Sends a request. @returns the object of the response */
  async send(request: ApiRequest): Promise<KubernetesObject> {
    const limit = AbortSignal.timeout(this.timeoutMs);
    const signal = request.signal === undefined ? limit : AbortSignal.any([request.signal, limit]);
    const response = await this.fetch(request, signal);
    return (await response.json()) as KubernetesObject;
  }

  /** Opens a response without an end, such as the log of a pod. It ends with the signal. */
  async open(request: ApiRequest & { readonly signal: AbortSignal }): Promise<Readable> {
    const response = await this.fetch(request, request.signal, withoutBodyTimeout);
    return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body);
  }

  private async fetch(
    request: ApiRequest,
    signal: AbortSignal,
    adapt = (dispatcher: Dispatcher): Dispatcher => dispatcher,
  ): Promise<Response> {
    const { method, path, query = {}, body, contentType = 'application/json', keepBody = false } = request;
    const { config } = await this.client.connect();
    const { HttpMethod, RequestContext } = await import('@kubernetes/client-node');
    const url = `${config.getCurrentCluster()?.server ?? ''}${path}`;
    const context = new RequestContext(url, HttpMethod[method]);
    await config.applySecurityAuthentication(context);
    const search = new URLSearchParams(query).toString();
    const dispatcher = context.getDispatcher();
    const response = await fetch(search === '' ? url : `${url}?${search}`, {
      method,
      headers: { ...context.getHeaders(), ...(body !== undefined && { 'content-type': contentType }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(dispatcher && { dispatcher: adapt(dispatcher) }),
      signal,
    });
    if (response.ok) return response;
    const refusal = Object.assign(new Error(`HTTP ${response.status}`), {
      code: response.status,
      body: await response.text(),
      headers: Object.fromEntries(response.headers),
    });
    throw toKubernetesApiError(refusal, path, { keepBody });
  }
}

/** A log can be silent for longer than the time limit of undici (5 minutes). */
const withoutBodyTimeout = (dispatcher: Dispatcher): Dispatcher =>
  dispatcher.compose((dispatch) => (options, handler) => dispatch({ ...options, bodyTimeout: 0 }, handler));
