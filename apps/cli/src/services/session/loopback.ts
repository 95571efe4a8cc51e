import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { timingSafeEqual } from 'node:crypto';
import { page, PAGE_HEADERS } from './loopback-pages.ts';

/** The path of the redirect from the provider. */
const CALLBACK = '/callback';

/** The redirect of a sign-in, and the page that the browser waits for. */
export interface SignInRedirect {
  /** The requested address. Its query holds the authorization response (RFC 6749, 4.1.2). */
  readonly url: URL;
  /** Shows the result of the sign-in in the browser. */
  show(title: string, sentence: string): void;
}

/** A listener for the redirect of a sign-in (RFC 8252, section 7.3). */
export interface Loopback {
  readonly redirectUri: string;
  /** The first redirect with the right state. */
  readonly redirect: Promise<SignInRedirect>;
  close(): Promise<void>;
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function send(response: ServerResponse, status: number, title: string, sentence: string): void {
  response.writeHead(status, PAGE_HEADERS).end(page(title, sentence));
}

/**
 * Listens on a random port of 127.0.0.1 for the provider's redirect. Any page in the browser can
 * send other requests: another host name, path or method, a redirect without the right state, or a
 * second redirect. They get an error page and have no effect.
 * @param state value that only the provider and this process know
 */
export async function listenForRedirect(state: string): Promise<Loopback> {
  let port = 0;
  let answered = false;
  const { promise: redirect, resolve: settle } = Promise.withResolvers<SignInRedirect>();

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = URL.parse(request.url ?? '', `http://127.0.0.1:${port}`);
    if (request.headers.host !== `127.0.0.1:${port}` || url?.host !== `127.0.0.1:${port}`) {
      send(response, 421, 'Wrong host name', 'Use the address that the terminal shows.');
    } else if (request.method !== 'GET' || url.pathname !== CALLBACK) {
      send(response, 404, 'Not found', 'This address only receives the result of a sign-in.');
    } else if (!sameText(url.searchParams.get('state') ?? '', state)) {
      send(
        response,
        400,
        'Another sign-in',
        'This response belongs to another sign-in. The terminal still waits for its own response.',
      );
    } else if (answered) {
      send(response, 400, 'Already completed', 'This sign-in is complete. See the terminal.');
    } else {
      answered = true;
      settle({
        url,
        show: (title, sentence) => send(response, 200, title, sentence),
      });
    }
  };

  const server = createServer(handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host: '127.0.0.1', port: 0, exclusive: true }, resolve);
  });
  ({ port } = server.address() as AddressInfo);
  return {
    redirectUri: `http://127.0.0.1:${port}${CALLBACK}`,
    redirect,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // A response in progress is completed. An idle connection that a browser opened in advance
        // must not keep the command running.
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 500).unref();
      }),
  };
}
