import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errors } from 'oidc-provider';
import type { IdentityProviderConfig } from './config.ts';
import { Directory } from './directory.ts';
import { BodyTooLargeError, normalizePath, sendJson, sendPage } from './http.ts';
import { Interactions } from './interactions.ts';
import { isForeignForm, isFormPath } from './foreign-forms.ts';
import { handleLocalTokenRequest } from './local-tokens.ts';
import { renderErrorPage, renderMessagePage, PAGE_HEADERS } from './pages.ts';
import { createProvider } from './provider.ts';
import { MAX_CLIENTS, RegistrationWindow, REGISTRATIONS_PER_MINUTE } from './registrations.ts';
import { Store } from './store.ts';

/** A running provider. */
export interface IdentityProvider {
  server: Server;
  close(): Promise<void>;
}

/** Starts the identity provider on its loopback port. */
export async function startIdentityProvider(config: IdentityProviderConfig): Promise<IdentityProvider> {
  const store = new Store(config.storeFile);
  const server = createServer(handler(config, store));
  const sweep = setInterval(() => store.sweep(), 60_000).unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve);
  });
  return {
    server,
    close: async () => {
      clearInterval(sweep);
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      store.close();
    },
  };
}

function handler(config: IdentityProviderConfig, store: Store) {
  const directory = new Directory(config.state.people, config.state.clients, config.passwords);
  const provider = createProvider(config, directory, store);
  const handleProtocol = provider.callback();
  const interactions = new Interactions(provider, directory);
  const registrations = new RegistrationWindow(() => Math.floor(Date.now() / 1000));
  const hosts = new Set([`127.0.0.1:${config.port}`, `localhost:${config.port}`]);

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    // Protects against DNS rebinding: a web page that resolves to 127.0.0.1 sends its own name as
    // Host.
    if (!hosts.has(request.headers.host ?? '')) {
      sendJson(response, 421, { error: 'this host name is not served here' });
      return;
    }
    if (request.method === 'POST' && isFormPath(normalizePath(request.url)) && isForeignForm(request.headers, hosts)) {
      sendPage(response, 403, renderErrorPage('access_denied', 'a web page of another address sent this form'));
      return;
    }
    if (path === '/healthz' || path === '/readyz') {
      sendJson(response, 200, { status: 'ok' });
      return;
    }
    if (path === '/local/tokens' && request.method === 'POST') {
      await handleLocalTokenRequest(request, response, config, directory);
      return;
    }
    if (path.startsWith('/interaction/')) {
      await interactions.handle(request, response);
      return;
    }
    if (path === '/') {
      const text = `This provider signs users in to the platform on this machine. Its issuer is ${config.issuer}.`;
      sendPage(response, 200, renderMessagePage('Local identity provider', text));
      return;
    }
    const isRegistration = request.method === 'POST' && normalizePath(request.url) === '/reg';
    if (isRegistration && !admitRegistration(registrations, store, response)) return;
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    await handleProtocol(request, response);
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    route(request, response).catch((error: unknown) => fail(response, error));
  };
}

/** Retry-After in seconds when all clients are in use. */
const FULL_RETRY = 3600;

/** Answers 429 in the form of RFC 7591, section 3.2.2, when no client can register now. */
function admitRegistration(window: RegistrationWindow, store: Store, response: ServerResponse): boolean {
  const wait = window.admit();
  if (wait === 0 && store.makeRoomForClient()) return true;
  const reason =
    wait > 0
      ? `more than ${REGISTRATIONS_PER_MINUTE} registrations in one minute; try again in ${wait} s`
      : `${MAX_CLIENTS} registered clients are in use; delete one at its registration_client_uri`;
  response.setHeader('retry-after', wait || FULL_RETRY);
  sendJson(response, 429, { error: 'temporarily_unavailable', error_description: reason });
  return false;
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
  } else if (error instanceof BodyTooLargeError) {
    sendPage(response, 413, renderErrorPage('too_large', error.message));
  } else if (error instanceof errors.OIDCProviderError) {
    sendPage(response, error.statusCode, renderErrorPage(error.error, error.error_description));
  } else {
    console.error(error);
    sendPage(response, 500, renderErrorPage('server_error', undefined));
  }
}
