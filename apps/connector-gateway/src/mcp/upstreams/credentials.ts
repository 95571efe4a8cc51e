import { listCauses } from '@gatehouse/egress/egress-refusal';
import type { Dispatcher } from 'undici';
import type { CredentialHeaders } from '../ports/personal-credentials.ts';
import { type Credential, CredentialError, type Secrets } from '../ports/upstream-secrets.ts';

/** Finds the credential error among an error and its causes. */
export const findCredentialError = (error: unknown): CredentialError | undefined =>
  listCauses(error).find((cause) => cause instanceof CredentialError);

/** Makes HTTP requests to one connector with one credential. */
export interface Dialer {
  dispatcher: Dispatcher;
  credential: CredentialHeaders;
  close(): Promise<void>;
}

/** Requests without a credential. */
export const NO_CREDENTIAL: CredentialHeaders = {
  create: () => Promise.resolve({}),
  renew: () => Promise.resolve(false),
};

/** Sends a secret in the header of its connector. */
export function createCredentialHeaders({ secret, header, prefix }: Credential, secrets: Secrets): CredentialHeaders {
  let sent: string | undefined;
  return {
    create: async () => {
      sent = await secrets.get(secret);
      return { [header]: `${prefix}${sent}` };
    },
    renew: async () => sent !== undefined && (await secrets.findNewerThan(secret, sent)) !== undefined,
  };
}
