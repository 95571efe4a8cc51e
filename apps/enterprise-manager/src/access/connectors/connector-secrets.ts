import { fieldError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { findHeaderProblem } from '../../secrets/managed-secrets/managed-secret.ts';
import { SecretVault } from '../../secrets/managed-secrets/secret-vault.ts';
import type { UsedSecret } from '../../secrets/references/used-secrets.ts';
import { findCredential } from './auth-rules.ts';
import type { Credential } from './endpoint-check.ts';
import type { StoredAuth, SecretField } from './stored-auth.ts';

/** Reads the secrets that a connector itself sends. */
@Injectable()
export class ConnectorSecrets {
  constructor(private readonly vault: SecretVault) {}

  /**
   * Returns the credential of requests to the upstream. `elsewhere` means a credential that this
   * service does not have: the user's, or a Secret in the cluster of the gateway.
   * @throws HttpError unprocessable for a value that a header cannot contain, unavailable if the
   * secret cannot be decrypted
   */
  async findCredential(
    auth: StoredAuth,
    used: readonly UsedSecret<SecretField>[],
  ): Promise<Credential | 'elsewhere' | undefined> {
    if (auth.type === 'none') return undefined;
    const [own] = used;
    if (own === undefined || (auth.type !== 'bearerToken' && auth.type !== 'headerInjection')) return 'elsewhere';
    if (own.kind === 'kubernetes') return 'elsewhere';
    const value = await this.vault.open(own.secret);
    const header = findCredential(auth, value);
    if (header === undefined) return 'elsewhere';
    const problem = findHeaderProblem(value, header.use);
    if (problem !== undefined) throw fieldError('unprocessable', own.path, `the value of the secret ${problem}`);
    return { name: header.name, value: header.value };
  }
}
