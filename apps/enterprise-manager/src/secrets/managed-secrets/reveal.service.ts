import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { Gateways } from '../../gateways/settings/gateways.ts';
import type { RevealedSecret, RevealPath } from './managed-secrets.dto.ts';
import { ManagedSecretsRepository } from './managed-secrets.repository.ts';
import { throwSecretNotFound } from './managed-secrets.service.ts';
import { SecretVault } from './secret-vault.ts';

/** Reveals secrets to gateways. A value is returned only after its audit event is stored. */
@Injectable()
export class RevealService {
  constructor(
    private readonly secrets: ManagedSecretsRepository,
    private readonly vault: SecretVault,
    private readonly gateways: Gateways,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * @throws HttpError not_found, also for a secret of another gateway; MissingKeyError when its key
   * is not configured
   */
  async reveal(caller: Caller, { gateway_id, id }: RevealPath): Promise<RevealedSecret> {
    const { kind, secrets = [] } = this.gateways.require(gateway_id);
    const find = (manager: EntityManager) => {
      if (kind === 'connector') return this.secrets.findOfGateway(manager, gateway_id, id);
      return secrets.some((own) => own.toLowerCase() === id) ? this.secrets.find(id, manager) : undefined;
    };
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const secret = (await find(manager)) ?? throwSecretNotFound();
        const value = await this.vault.open(secret, manager);
        await this.audit.record(manager, caller, {
          operation: 'Reveal managed secret',
          object_kind: 'managed_secret',
          object_id: id,
          changed_fields: [],
        });
        return { value, version: secret.version };
      },
      { retries: 5 },
    );
  }
}
