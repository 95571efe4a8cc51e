import { buildConnector } from 'undici';
import { causesOf } from './egress-refusal.ts';
import { formatHost } from './host.ts';
import type { Resolve } from './resolve.ts';
import { type Permission, hostOf, isAddress, judgeAddress, judgeTarget, readTarget } from './target.ts';

/**
 * Creates a connector for undici. Each dial judges the target, resolves its name, judges all
 * addresses of the name and dials one of them. No second lookup follows, so DNS rebinding has no
 * effect. A name with one refused address is refused as a whole.
 */
export function createConnector(
  permission: Permission,
  resolve: Resolve,
  connectTimeoutMs: number,
): buildConnector.connector {
  const dial = buildConnector({ timeout: connectTimeoutMs, autoSelectFamily: false });
  return (options, callback) => {
    const url = new URL(`${options.protocol}//${formatHost(options.hostname)}:${options.port || defaultPort(options)}`);
    resolveJudged(url, permission, resolve)
      .then((addresses) => dialInTurn(dial, options, url, addresses))
      .then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(new Error(`the dial to ${url.host} failed`, { cause: error }), null),
      );
  };
}

async function resolveJudged(url: URL, permission: Permission, resolve: Resolve): Promise<readonly string[]> {
  judgeTarget(readTarget(url.href), permission);
  const addresses = isAddress(url) ? [hostOf(url)] : await resolve(hostOf(url));
  if (addresses.length === 0) throw Object.assign(new Error(`${hostOf(url)} has no address`), { code: 'ENOTFOUND' });
  for (const address of addresses) judgeAddress(address, url, permission);
  return addresses;
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

async function dialInTurn(
  dial: buildConnector.connector,
  options: buildConnector.Options,
  url: URL,
  addresses: readonly string[],
): Promise<Socket> {
  const errors: unknown[] = [];
  for (const address of addresses) {
    try {
      return await dialOne(dial, { ...options, hostname: address, servername: servernameOf(options, url) });
    } catch (error) {
      errors.push(error);
      if (!isNetworkError(error)) break;
    }
  }
  throw errors.length === 1
    ? errors[0]
    : new AggregateError(errors, `none of the addresses of ${hostOf(url)} answered`);
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
function servernameOf(options: buildConnector.Options, url: URL): string {
  return isAddress(url) ? '' : options.servername || hostOf(url);
}

/** After a network error the next address is tried; after a bad certificate it is not. */
function isNetworkError(error: unknown): boolean {
  const codes = causesOf(error).map(({ code }) => code);
  return codes.some((code) =>
    ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT'].includes(
      String(code),
    ),
  );
}

function defaultPort(options: buildConnector.Options): string {
  return options.protocol === 'https:' ? '443' : '80';
}
