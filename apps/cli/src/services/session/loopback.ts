import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { timingSafeEqual } from 'node:crypto';
import type { RedirectListener, SignInRedirect } from '@gatehouse/workloads/runtime/sign-in-browser';
import { page, PAGE_HEADERS } from './loopback-pages.ts';

/** The path of the redirect from the provider. */
const CALLBACK = '/callback';

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function send(response: ServerResponse, status: number, title: string, sentence: string): void {
  response.writeHead(status, PAGE_HEADERS).end(page(title, sentence));
}

/**
 * Listens on 127.0.0.1 for the provider's redirect, by default on a random port. Any page in the
 * browser can send other requests: another host name, path or method, a redirect without the right
 * state, or a second redirect. They get an error page and have no effect.
 * @param state value that only the provider and this process know
 * @param place.host the host name in the address of the redirect, which must be that of a loopback
 * interface
 */
export async function listenForRedirect(
  state: string,
  place: { readonly port: number; readonly host: 'localhost' | '127.0.0.1' } = { port: 0, host: '127.0.0.1' },
): Promise<RedirectListener> {
  const { host } = place;
  let { port } = place;
  let answered = false;
  const { promise: redirect, resolve: settle } = Promise.withResolvers<SignInRedirect>();

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = URL.parse(request.url ?? '', `http://${host}:${port}`);
    if (request.headers.host !== `${host}:${port}` || url?.host !== `${host}:${port}`) {
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
    server.once('error', reject).listen({ host: '127.0.0.1', port, exclusive: true }, resolve);
  });
  ({ port } = server.address() as AddressInfo);
  return {
    redirectUri: `http://${host}:${port}${CALLBACK}`,
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
