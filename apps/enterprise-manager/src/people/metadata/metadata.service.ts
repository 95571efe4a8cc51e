import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { computeChangeTime } from '../../database/change-time.ts';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite, type RecordChange } from '@gatehouse/audit/audited-write';
import { countBytes, type EntityKind, findExceededLimit, MAX_METADATA_BYTES } from './metadata.ts';
import { type EntityMetadata, type MetadataDocument, toEntityMetadata } from './metadata.dto.ts';
import { MetadataRepository, type StoredMetadata } from './metadata.repository.ts';

/**
 * Reads and writes the metadata of users and groups. Administrators own the metadata, also of
 * provisioned users and groups.
 */
@Injectable()
export class MetadataService {
  private readonly writes: Record<EntityKind, AuditedWrite>;

  constructor(
    private readonly repository: MetadataRepository,
    private readonly clock: Clock,
    audit: AuditService,
    dataSource: DataSource,
  ) {
    const services = { dataSource, audit };
    this.writes = {
      user: createAuditedWrite(services, { kind: 'user' }),
      group: createAuditedWrite(services, { kind: 'group' }),
    };
  }

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
    return this.change(caller, 'Put', kind, id, ifMatch, async (manager, stored, recordChange) => {
      if (stored && computeETag(stored.metadata) === computeETag(document))
        return computeETag(toEntityMetadata(kind, id, stored));
      await this.repository.put(manager, kind, id, document, computeChangeTime(stored?.updated_at, this.clock.now()));
      await recordChange(id, ['metadata']);
      const written = (await this.repository.find(kind, id, manager)) ?? throwNoSuch(kind);
      return computeETag(toEntityMetadata(kind, id, written));
    });
  }

  /**
   * Removes the document. Removing absent metadata changes nothing.
   * @throws HttpError not_found, precondition_failed
   */
  async delete(caller: Caller, kind: EntityKind, id: string, ifMatch: string | undefined): Promise<void> {
    await this.change(caller, 'Delete', kind, id, ifMatch, async (manager, stored, recordChange) => {
      if (!stored) return;
      await this.repository.remove(manager, kind, id);
      await recordChange(id, ['metadata']);
    });
  }

  private change<Result>(
    caller: Caller,
    verb: 'Put' | 'Delete',
    kind: EntityKind,
    id: string,
    ifMatch: string | undefined,
    work: (manager: EntityManager, stored: StoredMetadata | undefined, recordChange: RecordChange) => Promise<Result>,
  ): Promise<Result> {
    return this.writes[kind](caller, `${verb} ${kind} metadata`, async (manager, recordChange) => {
      if (!(await this.repository.lock(manager, kind, id))) throwNoSuch(kind);
      const stored = await this.repository.find(kind, id, manager);
      // RFC 9110 §13.1.1: without a document, If-Match is false, also `*`.
      if (ifMatch !== undefined)
        requireMatch(
          stored ? ifMatch : '""',
          stored ? computeETag(toEntityMetadata(kind, id, stored)) : '',
          'optional',
        );
      return work(manager, stored, recordChange);
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
    `body: metadata must be at most ${MAX_METADATA_BYTES} bytes of JSON text, not ${bytes}`,
  );
}
