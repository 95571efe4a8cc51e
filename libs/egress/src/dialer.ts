import { getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { listCauses } from './egress-refusal.ts';
import { formatHost } from './host.ts';
import type { HostnameResolver } from './resolve.ts';
import { type Permission, getHost, isAddress, checkAddress, checkUrl, readTarget } from './target.ts';

/** The certificate of the client, and the certificates that it accepts; texts in PEM. */
export interface TlsSettings {
  /** The only trusted authorities; undefined: those of the system. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** False: every certificate is accepted. */
  readonly rejectUnauthorized?: boolean;
}

/**
 * Creates a connector for undici. Each dial checks the target, resolves its name, checks all
 * addresses of the name and dials one of them. No second lookup follows, so DNS rebinding has no
 * effect. A name with one refused address is refused as a whole.
 * @param certificates PEM, trusted beside those of the system
 */
export function createConnector(
  permission: Permission,
  resolve: HostnameResolver,
  connectTimeoutMs: number,
  certificates?: string,
  tls: TlsSettings = {},
): buildConnector.connector {
  const ca = certificates === undefined ? {} : { ca: [...getCACertificates('default'), certificates] };
  const dial = buildConnector({ timeout: connectTimeoutMs, autoSelectFamily: false, ...ca, ...tls });
  return (options, callback) => {
    const url = new URL(
      `${options.protocol}//${formatHost(options.hostname)}:${options.port || getDefaultPort(options)}`,
    );
    resolveChecked(url, permission, resolve)
      .then((addresses) => dialAddressesInOrder(dial, options, url, addresses))
      .then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(new Error(`the dial to ${url.host} failed`, { cause: error }), null),
      );
  };
}

async function resolveChecked(url: URL, permission: Permission, resolve: HostnameResolver): Promise<readonly string[]> {
  checkUrl(readTarget(url.href), permission);
  const addresses = isAddress(url) ? [getHost(url)] : await resolve(getHost(url));
  if (addresses.length === 0) throw Object.assign(new Error(`${getHost(url)} has no address`), { code: 'ENOTFOUND' });
  for (const address of addresses) checkAddress(address, url, permission);
  return addresses;
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

async function dialAddressesInOrder(
  dial: buildConnector.connector,
  options: buildConnector.Options,
  url: URL,
  addresses: readonly string[],
): Promise<Socket> {
  const errors: unknown[] = [];
  for (const address of addresses) {
    try {
      return await dialOne(dial, { ...options, hostname: address, servername: getServername(options, url) });
    } catch (error) {
      errors.push(error);
      if (!isNetworkError(error)) break;
    }
  }
  throw errors.length === 1
    ? errors[0]
    : new AggregateError(errors, `none of the addresses of ${getHost(url)} answered`);
}

function dialOne(dial: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    dial(options, (...[error, socket]) => {
      if (error === null) resolve(socket);
      else reject(new Error(error.message, { cause: error }));
    });
  });
}

/**
 * The certificate must name the requested host, not the dialled address. TLS server names are never
 * addresses (RFC 6066).
 */
function getServername(options: buildConnector.Options, url: URL): string {
  return isAddress(url) ? '' : options.servername || getHost(url);
}

/** After a network error the next address is tried; after a bad certificate it is not. */
function isNetworkError(error: unknown): boolean {
  const codes = listCauses(error).map(({ code }) => code);
  return codes.some((code) =>
    ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT'].includes(
      String(code),
    ),
  );
}

function getDefaultPort(options: buildConnector.Options): string {
  return options.protocol === 'https:' ? '443' : '80';
}
