import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { etagOf, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { laterInstant } from '../../database/later-instant.ts';
import { AuditService } from '../../audit/audit.service.ts';
import { countBytes, type EntityKind, findExceededLimit, MAX_METADATA_BYTES } from './metadata.ts';
import { type EntityMetadata, type MetadataDocument, toEntityMetadata } from './metadata.dto.ts';
import { MetadataRepository, type StoredMetadata } from './metadata.repository.ts';

/**
 * Reads and writes the metadata of users and groups. Administrators own the metadata, also of
 * provisioned users and groups.
 */
@Injectable()
export class MetadataService {
  constructor(
    private readonly repository: MetadataRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Returns metadata. @throws HttpError not_found for an unknown entity, or without metadata */
  async get(kind: EntityKind, id: string): Promise<EntityMetadata> {
    const stored = await this.repository.find(kind, id);
    if (stored) return toEntityMetadata(kind, id, stored);
    if (!(await this.repository.exists(kind, id))) throwNoSuch(kind);
    throw new HttpError('not_found', `this ${kind} has no metadata`);
  }

  /**
   * Creates or replaces the document.
   * @returns its ETag
   * @throws HttpError not_found, precondition_failed, too_large
   */
  async put(
    caller: Caller,
    kind: EntityKind,
    id: string,
    document: MetadataDocument,
    ifMatch: string | undefined,
  ): Promise<string> {
    requireAllowedSize(document);
    return this.change(kind, id, ifMatch, async (manager, stored) => {
      if (stored && etagOf(stored.metadata) === etagOf(document)) return etagOf(toEntityMetadata(kind, id, stored));
      await this.repository.put(manager, kind, id, document, laterInstant(stored?.updated_at, this.clock.now()));
      await this.record(manager, caller, `Put ${kind} metadata`, kind, id);
      const written = (await this.repository.find(kind, id, manager)) ?? throwNoSuch(kind);
      return etagOf(toEntityMetadata(kind, id, written));
    });
  }

  /**
   * Removes the document. Removing absent metadata changes nothing.
   * @throws HttpError not_found, precondition_failed
   */
  async delete(caller: Caller, kind: EntityKind, id: string, ifMatch: string | undefined): Promise<void> {
    await this.change(kind, id, ifMatch, async (manager, stored) => {
      if (!stored) return;
      await this.repository.remove(manager, kind, id);
      await this.record(manager, caller, `Delete ${kind} metadata`, kind, id);
    });
  }

  private async change<Result>(
    kind: EntityKind,
    id: string,
    ifMatch: string | undefined,
    work: (manager: EntityManager, stored: StoredMetadata | undefined) => Promise<Result>,
  ): Promise<Result> {
    return inTransaction(this.dataSource, async (manager) => {
      if (!(await this.repository.lock(manager, kind, id))) throwNoSuch(kind);
      const stored = await this.repository.find(kind, id, manager);
      // RFC 9110 §13.1.1: without a document, If-Match is false, also `*`.
      if (ifMatch !== undefined)
        requireMatch(stored ? ifMatch : '""', stored ? etagOf(toEntityMetadata(kind, id, stored)) : '', 'optional');
      return work(manager, stored);
    });
  }

  private record(manager: EntityManager, caller: Caller, operation: string, kind: EntityKind, id: string) {
    return this.audit.record(manager, caller, {
      operation,
      object_kind: kind,
      object_id: id,
      changed_fields: ['metadata'],
    });
  }
}

function throwNoSuch(kind: EntityKind): never {
  throw new HttpError('not_found', `there is no such ${kind}`);
}

/** @throws HttpError too_large */
function requireAllowedSize(document: MetadataDocument): void {
  const exceeded = findExceededLimit(document);
  if (exceeded !== undefined) throw new HttpError('too_large', `body: ${exceeded}`);
  const bytes = countBytes(document);
  if (bytes <= MAX_METADATA_BYTES) return;
  throw new HttpError(
    'too_large',
    `body: metadata can have ${MAX_METADATA_BYTES} bytes of JSON text; this has ${bytes}`,
  );
}
