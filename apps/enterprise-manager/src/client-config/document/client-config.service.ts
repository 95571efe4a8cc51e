import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { etagOf, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v4 as uuidv4 } from 'uuid';
import { AuditService } from '../../audit/audit.service.ts';
import { changedFields, type Fault, faultsOf, ordered } from './client-config.ts';
import type { ClientConfig } from './client-config.dto.ts';
import { ClientConfigRepository } from './client-config.repository.ts';

const RETRIES = 5;

/** The documents and the ETag of this state of them. */
interface TaggedClientConfig {
  document: ClientConfig;
  etag: string;
}

/** What clients are configured with, for administrators. */
@Injectable()
export class ClientConfigService {
  constructor(
    private readonly repository: ClientConfigRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * The documents as they were written. Each write has a revision of its own, so their tag never
   * comes back with the content.
   */
  async get(manager?: EntityManager): Promise<TaggedClientConfig> {
    const { document, revision } = await this.repository.findAsWritten(manager);
    return { document, etag: etagOf({ revision, document }) };
  }

  /**
   * Replaces the base and all overrides at once.
   * @throws HttpError precondition_failed; unprocessable for a group that is not there, or a
   * document that contradicts itself
   */
  async put(caller: Caller, body: ClientConfig, ifMatch: string | undefined): Promise<TaggedClientConfig> {
    const wanted = ordered(body);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        // Groups before the documents, as a group that is removed takes its locks: the other order
        // could deadlock.
        const groups = await this.repository.holdGroups(
          manager,
          wanted.overrides.map(({ group_id }) => group_id),
        );
        await this.repository.lock(manager);
        const before = await this.get(manager);
        requireMatch(ifMatch, before.etag, 'optional');
        refuse([...unknownGroups(body, groups), ...faultsOf(body)]);
        await this.write(manager, caller, before.document, wanted);
        return this.get(manager);
      },
      { retries: RETRIES },
    );
  }

  private async write(
    manager: EntityManager,
    caller: Caller,
    before: ClientConfig,
    wanted: ClientConfig,
  ): Promise<void> {
    const changed = changedFields(before, wanted);
    if (changed.length === 0) return;
    await this.repository.replace(manager, { ...wanted, revision: uuidv4() });
    await this.audit.record(manager, caller, {
      operation: 'Put client configuration',
      object_kind: 'client_config',
      object_id: 'client-config',
      changed_fields: changed,
    });
  }
}

const unknownGroups = ({ overrides }: ClientConfig, groups: ReadonlySet<string>): Fault[] =>
  overrides.flatMap(({ group_id }, at) =>
    groups.has(group_id) ? [] : [{ field: `overrides[${at}].group_id`, message: `there is no group ${group_id}` }],
  );

/** More than this is noise; the caller mends these first. */
const MAX_NAMED = 5;

function refuse(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const sentences = faults.slice(0, MAX_NAMED).map(({ field, message }) => `${field}: ${message}`);
  const more = faults.length > MAX_NAMED ? `; and ${faults.length - MAX_NAMED} more` : '';
  throw new HttpError('unprocessable', sentences.join('; ') + more, {
    violations: faults.map(({ field, message }) => ({
      field: `/${field.replace(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`,
      message,
    })),
  });
}
