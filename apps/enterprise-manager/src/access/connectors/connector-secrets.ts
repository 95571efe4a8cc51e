import { fieldError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { headerProblem } from '../../secrets/managed-secrets/managed-secret.ts';
import { SecretVault } from '../../secrets/managed-secrets/secret-vault.ts';
import type { UsedSecret } from '../../secrets/references/used-secrets.ts';
import { credentialOf } from './auth-rules.ts';
import type { Credential } from './endpoint-check.ts';
import type { HeldAuth, SecretField } from './held-auth.ts';

/** The values of the secrets that connectors themselves send. */
@Injectable()
export class ConnectorSecrets {
  constructor(private readonly vault: SecretVault) {}

  /**
   * What goes along with each request to the upstream; `elsewhere` where that is the credential of
   * the caller, or a Secret of the gateway's cluster: nobody has either here.
   * @throws HttpError unprocessable for a value that no header can carry, unavailable when the
   * secret cannot be opened
   */
  async credential(
    auth: HeldAuth,
    used: readonly UsedSecret<SecretField>[],
  ): Promise<Credential | 'elsewhere' | undefined> {
    if (auth.type === 'none') return undefined;
    const [own] = used;
    if (own === undefined || (auth.type !== 'bearerToken' && auth.type !== 'headerInjection')) return 'elsewhere';
    if (own.kind === 'kubernetes') return 'elsewhere';
    const value = await this.vault.open(own.secret);
    const sent = credentialOf(auth, value);
    if (sent === undefined) return 'elsewhere';
    const problem = headerProblem(value, sent.use);
    if (problem !== undefined) throw fieldError('unprocessable', own.path, `the value of the secret ${problem}`);
    return { name: sent.name, value: sent.value };
  }
}
