import { EgressRefusal } from '@gatehouse/egress/egress-refusal';
import { type Permission, authorityOf, judgeTarget, readTarget } from '@gatehouse/egress/target';
import { Refusal } from '@gatehouse/service-kit/refusal';
import type { HeaderUse } from '../secrets/managed-secret.ts';
import type { SecretName } from '../secrets/secret-vault.ts';
import type { ConnectorAuthWrite, SecretRef } from './connector-auth.dto.ts';
import type { HeldAuth } from './held-auth.ts';

/** An accepted authentication, and the secret that it needs. */
export interface AcceptedAuth {
  auth: HeldAuth;
  secret: NeededSecret | undefined;
}

/** A secret that an authentication needs. */
export interface NeededSecret {
  /** Where in `auth` it stands. */
  field: SecretField;
  /** Undefined where a write leaves it out: the one that the connector has stays. */
  name: SecretName | undefined;
}

/** Places of secrets in `auth`. */
export type SecretField = 'bearer_token.token' | 'header_injection.value';

/** The header in which a connector's secret goes out, given the secret. */
export function credentialOf(auth: HeldAuth, secret: string): { name: string; value: string; use: HeaderUse } {
  return auth.type === 'headerInjection'
    ? { name: auth.header_injection.header_name, value: secret, use: 'header' }
    : { name: 'authorization', value: `Bearer ${secret}`, use: 'bearer' };
}

/**
 * The authentication to be stored.
 *
 * @throws Refusal invalid for a block that does not belong to the type, or does not say what it must; unprocessable for a type, a header or a reference that
 * this deployment cannot hold
 */
export function acceptedAuth(write: ConnectorAuthWrite | undefined): AcceptedAuth {
  const { type, ...blocks } = write ?? { type: 'none' as const };
  const own = type.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const foreign = Object.keys(blocks).find((block) => block !== own);
  if (foreign !== undefined) throw refusal('invalid', `auth.${foreign}`, `does not belong to the type ${type}`);
  switch (type) {
    case 'none':
      return { auth: { type }, secret: undefined };
    case 'bearerToken':
      return { auth: { type }, secret: neededSecret('bearer_token.token', blocks.bearer_token?.token) };
    case 'headerInjection': {
      if (blocks.header_injection === undefined) throw refusal('invalid', 'auth.header_injection', 'is required');
      const { header_name, value } = blocks.header_injection;
      const problem = headerNameProblem(header_name);
      if (problem !== undefined) throw refusal('unprocessable', 'auth.header_injection.header_name', problem);
      return {
        auth: { type, header_injection: { header_name } },
        secret: neededSecret('header_injection.value', value),
      };
    }
    default:
      throw refusal(
        'unprocessable',
        'auth.type',
        `${type} needs identity providers, which this deployment does not have; it can hold: none, bearerToken, headerInjection`,
      );
  }
}

function neededSecret(field: SecretField, ref: SecretRef | undefined): NeededSecret {
  if (ref === undefined) return { field, name: undefined };
  const { managed_secret_id, managed_secret_name, kubernetes_secret } = ref;
  const named = [managed_secret_id, managed_secret_name, kubernetes_secret].filter((part) => part !== undefined);
  if (named.length !== 1) throw refusal('invalid', `auth.${field}`, 'must name exactly one secret');
  if (kubernetes_secret !== undefined)
    throw refusal('unprocessable', `auth.${field}.kubernetes_secret`, 'there is no cluster to read it from');
  return {
    field,
    name: managed_secret_id === undefined ? { name: managed_secret_name ?? '' } : { id: managed_secret_id },
  };
}

/**
 * Names that connections (RFC 9110 section 7.6.1), messages, MCP and this service give a meaning of their own. All that follow a redirect to another
 * origin are among them.
 */
const TAKEN_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'via'],
  ...['host', 'expect', 'date', 'origin', 'referer', 'range'],
  ...['accept', 'accept-encoding', 'accept-language', 'user-agent', 'cache-control', 'last-event-id', 'forwarded'],
  ...['cookie', 'set-cookie', 'traceparent', 'tracestate', 'baggage', 'x-request-id', 'http2-settings'],
]);
const TAKEN_PREFIXES = /^(?:content-|proxy-|sec-|mcp-|access-control-|x-forwarded-|if-)/;

/** Why a header cannot carry a secret, or undefined when it can. */
function headerNameProblem(name: string): string | undefined {
  const plain = name.toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(plain)) return 'must be the name of a header (RFC 9110)';
  if (plain === 'authorization') return 'is set by the type bearerToken';
  if (TAKEN_HEADERS.has(plain) || TAKEN_PREFIXES.test(plain)) return `${plain} has a meaning of its own in requests`;
  return undefined;
}

/**
 * The endpoint as it will be called, and what the administrator allows for it.
 *
 * @throws Refusal invalid for anything but an http(s) URL, unprocessable for one that may not be called
 */
export function acceptedEndpoint(
  endpoint: string,
  allowPrivateIps: boolean,
  allowLoopback: boolean,
): { url: URL; permission: Permission } {
  try {
    const url = readTarget(endpoint);
    const permission = { authority: authorityOf(url), allowPrivateIps, allowLoopback };
    judgeTarget(url, permission);
    return { url, permission };
  } catch (error) {
    if (!(error instanceof EgressRefusal)) throw error;
    throw refusal(error.rule === 'malformed' ? 'invalid' : 'unprocessable', 'endpoint', error.message, error);
  }
}

/** A refusal that names a field by its path. */
export function refusal(kind: 'invalid' | 'unprocessable', field: string, message: string, cause?: unknown): Refusal {
  return new Refusal(kind, `${field}: ${message}`, {
    violations: [{ field: `/${field.replaceAll('.', '/')}`, message }],
    ...(cause !== undefined && { cause }),
  });
}
