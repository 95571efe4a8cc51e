import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ClusterAccess } from './cluster-access.ts';

/** A JSON object of the Kubernetes API; nothing in it is believed before it was looked at. */
export type KubernetesObject = Readonly<Record<string, unknown>>;

/** A list may take this long in all. */
const LIST_TIMEOUT_MS = 30_000;

/**
 * The server ends a watch after this time; a connection that died without a word is noticed a
 * little later.
 */
const WATCH_SECONDS = 60;
const WATCH_GRACE_MS = 15_000;

const PAGE = 500;

/** Longest line of a watch, far above the 1.5 MiB that an object can have. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

/**
 * An answer that is not what was asked for. `status` is the HTTP status, or the `code` of an event
 * that ends a watch.
 */
export class KubernetesFailure extends Error {
  override readonly name = 'KubernetesFailure';
  constructor(
    readonly status: number,
    path: string,
  ) {
    super(`the Kubernetes API answers ${status} for ${path}`);
  }
}

/** All objects of a collection at one moment. */
export interface Listing {
  items: KubernetesObject[];
  /** Kind of the items, which they do not always name themselves. */
  kind: string;
  resourceVersion: string;
}

/** Something that happened to an object. */
export interface WatchEvent {
  type: string;
  object: KubernetesObject;
}

/**
 * The API of a cluster: one object, and the two questions of an informer (what is there, and what
 * changes from then on).
 */
export class KubernetesApi {
  constructor(private readonly access: ClusterAccess) {}

  /**
   * Reads one object.
   * @throws KubernetesFailure, SyntaxError for an answer that is not JSON, or what the network says
   */
  async read(path: string, signal: AbortSignal): Promise<KubernetesObject> {
    return JSON.parse(await text(await this.get(path, signal))) as KubernetesObject;
  }

  /**
   * Reads a collection in pages of one moment.
   * @throws KubernetesFailure, or what the network says
   */
  async list(path: string, signal: AbortSignal): Promise<Listing> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]);
    const items: KubernetesObject[] = [];
    let from = '';
    for (;;) {
      const response = await this.get(`${path}?limit=${PAGE}&continue=${encodeURIComponent(from)}`, limited);
      const page = JSON.parse(await text(response)) as {
        kind: string;
        items: KubernetesObject[] | null;
        metadata: { resourceVersion: string; continue?: string };
      };
      items.push(...(page.items ?? []));
      from = page.metadata.continue ?? '';
      if (from === '')
        return { items, kind: page.kind.replace(/List$/, ''), resourceVersion: page.metadata.resourceVersion };
    }
  }

  /**
   * Follows a collection from a moment on, until the server ends the watch, as it does each minute.
   * @param opened called when the server begins to answer
   * @throws KubernetesFailure with 410 when the moment is too long ago, or what the network says
   */
  async *watch(
    path: string,
    resourceVersion: string,
    signal: AbortSignal,
    opened: () => void,
  ): AsyncGenerator<WatchEvent, void> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(WATCH_SECONDS * 1_000 + WATCH_GRACE_MS)]);
    const query = new URLSearchParams({
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(WATCH_SECONDS),
      resourceVersion,
    });
    const response = await this.get(`${path}?${query.toString()}`, limited);
    opened();
    for await (const line of linesOf(response)) {
      const event = JSON.parse(line) as WatchEvent;
      if (event.type === 'ERROR') throw new KubernetesFailure(Number(event.object['code'] ?? 500), path);
      yield event;
    }
  }

  private async get(pathAndQuery: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { token, ca } = await this.access.credentials();
    const url = new URL(`${this.access.url}${pathAndQuery}`);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      send(
        url,
        {
          signal,
          // A watch lives long and is opened seldom; a pooled socket would only be one more thing
          // that can be half dead.
          agent: false,
          ...(ca !== undefined && { ca }),
          headers: { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        },
        resolve,
      )
        .once('error', reject)
        .end();
    });
    if (response.statusCode === 200) return response;
    response.destroy();
    throw new KubernetesFailure(response.statusCode ?? 0, url.pathname);
  }
}

/**
 * Lines of a stream.
 * @throws Error when the stream breaks off or a line is longer than any object
 */
async function* linesOf(stream: IncomingMessage): AsyncGenerator<string, void> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) throw new Error('the Kubernetes API sends a line without an end');
    for (const line of lines) if (line !== '') yield line;
  }
}
