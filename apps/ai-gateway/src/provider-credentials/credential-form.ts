import type { ProviderPlatform } from '@gatehouse/ai-resources/generated/types';
import { isHeaderValue } from '@gatehouse/egress/header-value';
import { readBedrockCredential } from './bedrock-credential.ts';
import { ProviderCredentialError } from './provider-credential-error.ts';
import { readServiceAccountKey } from './service-account-key.ts';

/** The form that a secret must have for its owner. */
export interface CredentialForm {
  /** Distinguishes forms of the same secret; undefined for the value of a header. */
  readonly name?: string;
  /** @throws ProviderCredentialError that never holds a part of the secret */
  check(secret: string): void;
}

const headerValue: CredentialForm = {
  check(secret) {
    if (!isHeaderValue(secret))
      throw new ProviderCredentialError('the secret has characters that a header cannot carry', false);
  },
};

const bedrock: CredentialForm = { name: 'bedrock', check: (secret) => void readBedrockCredential(secret) };
const vertex: CredentialForm = { name: 'vertex', check: (secret) => void readServiceAccountKey(secret) };

/** Finds the form of the secret of an owner. @param platform of a provider on one */
export function findCredentialForm(platform: ProviderPlatform | undefined): CredentialForm {
  if (platform?.bedrock !== undefined) return bedrock;
  return platform?.vertex === undefined ? headerValue : vertex;
}
