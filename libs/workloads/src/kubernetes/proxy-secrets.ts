import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { CLIENTS, listClientReferences } from '../configuration/client-secrets.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { listTelemetryReferences } from '../configuration/telemetry-headers.ts';
import { listWebhookSecrets } from '../flags/configured-webhooks.ts';

/** A secret whose target is its key in the Secret of the pod. */
const place = ({ name }: SecretReference, key: string): SecretReference =>
  SecretReference.parse(`${name},target=${key}`);

/** Lists the secrets of clients, of signatures of webhooks, and of headers for the collector. */
export function listProxySecrets(config: RunConfig): SecretReference[] {
  const clients = listClientReferences(config);
  return [
    ...CLIENTS.flatMap((client) => {
      const reference = clients[client];
      return reference === undefined ? [] : [place(reference, client)];
    }),
    ...listWebhookSecrets(config).map((reference) => place(reference, getWebhookKey(reference))),
    // The name of a header can have characters that a key cannot have.
    ...listTelemetryReferences(config).map((reference, index) => place(reference, getHeaderKey(index))),
  ];
}

/** Lists their keys in the Secret. */
export const listProxySecretKeys = (config: RunConfig): string[] =>
  listProxySecrets(config).map(({ target }) => target);

const getWebhookKey = ({ target }: SecretReference): string => target.toLowerCase();
const getHeaderKey = (index: number): string => `otel_header_${index}`;

/** The variable of the pod with the value of a key. */
export const getSecretVariable = (key: string): string => `GATEHOUSE_PROXY_${key.toUpperCase()}`;

/** The secrets of a proxy as its passes ask for them. */
export interface ProxySecretValues {
  readonly clients: Readonly<Record<string, string>>;
  /** By the targets of {@link listWebhookSecrets}. */
  readonly webhooks: Readonly<Record<string, string>>;
  /** By header. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sorts the values of the pod by their use. @param read returns the value of a variable */
export function sortProxySecrets(config: RunConfig, read: (variable: string) => string | undefined): ProxySecretValues {
  const pick = (pairs: readonly (readonly [name: string, key: string])[]) =>
    Object.fromEntries(
      pairs.flatMap(([name, key]) => {
        const value = read(getSecretVariable(key));
        return value === undefined ? [] : [[name, value]];
      }),
    ) as Record<string, string>;
  return {
    clients: pick(CLIENTS.map((client) => [client, client])),
    webhooks: pick(listWebhookSecrets(config).map((reference) => [reference.target, getWebhookKey(reference)])),
    headers: pick(listTelemetryReferences(config).map(({ target }, index) => [target, getHeaderKey(index)])),
  };
}
