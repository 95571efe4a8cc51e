import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v4 as uuidv4 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { lockGroups } from '../../people/groups/lock-groups.ts';
import { getChangedFields, type Violation, findViolations, sortOverrides } from './client-config.ts';
import type { ClientConfig } from './client-config.dto.ts';
import { ClientConfigRepository } from './client-config.repository.ts';

/** Retries after a serialization failure or a deadlock. */
const RETRIES = 5;

/** The documents and their ETag. */
interface TaggedClientConfig {
  document: ClientConfig;
  etag: string;
}

/** Reads and writes the configuration of clients for administrators. */
@Injectable()
export class ClientConfigService {
  constructor(
    private readonly repository: ClientConfigRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Returns the documents as they were written. Each write creates a new revision, so an ETag never
   * repeats, also not with equal content.
   */
  async get(manager?: EntityManager): Promise<TaggedClientConfig> {
    const { document, revision } = await this.repository.findWithExactNumbers(manager);
    return { document, etag: computeETag({ revision, document }) };
  }

  /**
   * Replaces the base document and all overrides.
   * @throws HttpError precondition_failed; unprocessable for unknown groups and contradictions
   */
  async put(caller: Caller, body: ClientConfig, ifMatch: string | undefined): Promise<TaggedClientConfig> {
    const after = sortOverrides(body);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        // Groups before documents: the deletion of a group takes its locks in this order.
        const groups = await lockGroups(
          manager,
          after.overrides.map(({ group_id }) => group_id),
        );
        await this.repository.lockDocuments(manager);
        const before = await this.get(manager);
        requireMatch(ifMatch, before.etag, 'optional');
        throwIfInvalid([...findUnknownGroups(body, groups), ...findViolations(body)]);
        await this.write(manager, caller, before.document, after);
        return this.get(manager);
      },
      { retries: RETRIES },
    );
  }

  private async write(
    manager: EntityManager,
    caller: Caller,
    before: ClientConfig,
    after: ClientConfig,
  ): Promise<void> {
    const changed = getChangedFields(before, after);
    if (changed.length === 0) return;
    await this.repository.replace(manager, { ...after, revision: uuidv4() });
    await this.audit.record(manager, caller, {
      operation: 'Put client configuration',
      object_kind: 'client_config',
      object_id: 'client-config',
      changed_fields: changed,
    });
  }
}

const findUnknownGroups = ({ overrides }: ClientConfig, groups: ReadonlySet<string>): Violation[] =>
  overrides.flatMap(({ group_id }, at) =>
    groups.has(group_id) ? [] : [{ field: `overrides[${at}].group_id`, message: `there is no group ${group_id}` }],
  );

/** Number of violations in the message; the body of the error has all of them. */
const MAX_SHOWN_VIOLATIONS = 5;

function throwIfInvalid(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const sentences = violations.slice(0, MAX_SHOWN_VIOLATIONS).map(({ field, message }) => `${field}: ${message}`);
  const more = violations.length > MAX_SHOWN_VIOLATIONS ? `; and ${violations.length - MAX_SHOWN_VIOLATIONS} more` : '';
  throw new HttpError('unprocessable', sentences.join('; ') + more, {
    violations: violations.map(({ field, message }) => ({
      field: `/${field.replace(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`,
      message,
    })),
  });
}
