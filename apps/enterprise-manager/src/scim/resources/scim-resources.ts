import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite, type RecordChange } from '@gatehouse/audit/audited-write';
import { listIgnoredOfBody, listIgnoredOfPatch } from '../protocol/ignored-members.ts';
import { readPatch } from '../protocol/patch-operations.ts';
import { readProjection } from '../protocol/projection.ts';
import { listBytes, formatVersionTag } from '../protocol/resources.ts';
import { type JsonObject, type JsonText, ScimError } from '../protocol/types.ts';
import { IgnoredMembers } from '../http/ignored-members.ts';
import { ScimIssuers } from '../http/scim-issuers.ts';
import { toPageRequest } from '../http/scim-page.ts';
import type { ScimRow, ScimStore, ScimWrite } from './scim-store.ts';
import { requireVersion } from '../http/scim-version.ts';
import type { ListQuery, ProjectionQuery, SearchRequest } from '../http/scim.dto.ts';

/** A resource in a response. */
export interface ScimResponse {
  resource: JsonText;
  etag: string;
  /** Its `meta.location`. */
  location: string;
}

/** The If-Match header and the query parameters of a write. */
export interface WriteOptions {
  ifMatch: string | undefined;
  query: ProjectionQuery;
}

/** The services that the resources of both types need. */
@Injectable()
export class ScimServices {
  constructor(
    readonly issuers: ScimIssuers,
    readonly ignored: IgnoredMembers,
    readonly audit: AuditService,
    readonly dataSource: DataSource,
    readonly clock: Clock,
  ) {}
}

/**
 * Reads and writes the SCIM resources of one type. A client sees the resources of its issuer only.
 * Each write is one transaction with its audit event; a write that changes nothing keeps the
 * version.
 */
export class ScimResources<Row extends ScimRow, Input, Change> {
  private readonly kind: string;
  private readonly auditedWrite: AuditedWrite;

  constructor(
    private readonly store: ScimStore<Row, Input, Change>,
    private readonly services: ScimServices,
  ) {
    this.kind = store.resourceType.toLowerCase();
    this.auditedWrite = createAuditedWrite(services, { kind: this.kind });
  }

  /** Lists resources (RFC 7644 §3.4.2). @throws ScimError 400 */
  async list(caller: OwnCaller, query: ListQuery | SearchRequest): Promise<Buffer> {
    const issuer = this.services.issuers.getIssuer(caller);
    const { total, rows } = await this.store.readPage(issuer, toPageRequest(this.store.resourceType, query));
    return listBytes(await this.store.render(issuer, rows, this.toProjection(query)), total, query.startIndex);
  }

  /** Returns a resource. @throws ScimError 404 */
  async get(caller: OwnCaller, id: string | undefined, query: ProjectionQuery): Promise<ScimResponse> {
    const row = id === undefined ? undefined : await this.store.find(this.services.issuers.getIssuer(caller), id);
    return this.respond(caller, row ?? this.throwNotFound(), query);
  }

  /** Creates a resource. @throws ScimError 400, 409; HttpError forbidden, conflict */
  async create(caller: OwnCaller, body: JsonObject, query: ProjectionQuery): Promise<ScimResponse> {
    const input = this.store.readInput(body);
    const row = await this.write(caller, 'create', async (write, recordChange) => {
      const { id, attributes } = await this.store.create(write, input);
      await recordChange(id, attributes);
      return this.read(write, id);
    });
    this.reportIgnored(caller, 'POST', row.id, listIgnoredOfBody(body, this.store.resourceType));
    return this.respond(caller, row, query);
  }

  /** Replaces a resource. @throws as `patch` */
  async replace(
    caller: OwnCaller,
    id: string | undefined,
    body: JsonObject,
    { ifMatch, query }: WriteOptions,
  ): Promise<ScimResponse> {
    const row = await this.change(caller, 'replace', id, ifMatch, this.store.readReplacement(body));
    this.reportIgnored(caller, 'PUT', row.id, listIgnoredOfBody(body, this.store.resourceType));
    return this.respond(caller, row, query);
  }

  /**
   * Applies all operations of a PATCH, or none.
   * @returns only the ETag when the response is optional and the request names no attributes
   * @throws ScimError 400, 404, 409; HttpError precondition_failed, forbidden, conflict
   */
  async patch(
    caller: OwnCaller,
    id: string | undefined,
    body: JsonObject,
    { ifMatch, query }: WriteOptions,
  ): Promise<Pick<ScimResponse, 'etag'> & Partial<ScimResponse>> {
    const operations = readPatch(body);
    const row = await this.change(caller, 'patch', id, ifMatch, this.store.readOperations(operations));
    this.reportIgnored(caller, 'PATCH', row.id, listIgnoredOfPatch(operations, this.store.resourceType));
    const namesAttributes = query.attributes !== undefined || query.excludedAttributes !== undefined;
    if (this.store.isPatchResponseOptional && !namesAttributes) return { etag: formatVersionTag(row.version) };
    return this.respond(caller, row, query);
  }

  /** Removes a resource. @throws ScimError 404; HttpError precondition_failed, forbidden */
  async delete(caller: OwnCaller, id: string | undefined, ifMatch: string | undefined): Promise<void> {
    if (id === undefined) return this.throwNotFound();
    await this.write(caller, 'delete', async (write, recordChange) => {
      const { version } = (await this.store.lockForDelete(write, id)) ?? this.throwNotFound();
      requireVersion(ifMatch, version);
      await this.store.delete(write, id);
      await recordChange(id, []);
    });
  }

  private async change(
    caller: OwnCaller,
    verb: 'replace' | 'patch',
    id: string | undefined,
    ifMatch: string | undefined,
    change: Change,
  ): Promise<Row> {
    if (id === undefined) return this.throwNotFound();
    return this.write(caller, verb, async (write, recordChange) => {
      const found = (await this.store.lock(write, id, change)) ?? this.throwNotFound();
      requireVersion(ifMatch, found.version);
      const changed = await this.store.update(write, found, change);
      if (changed.length === 0) return found;
      await recordChange(id, changed);
      return this.read(write, id);
    });
  }

  private async write<T>(
    caller: OwnCaller,
    verb: 'create' | 'replace' | 'patch' | 'delete',
    work: (write: ScimWrite, recordChange: RecordChange) => Promise<T>,
  ): Promise<T> {
    const { issuers, clock } = this.services;
    const issuer = issuers.getIssuer(caller);
    try {
      return await this.auditedWrite(caller, `SCIM: ${verb} ${this.kind}`, (manager, recordChange) =>
        work({ manager, caller, issuer, now: clock.now().toISOString() }, recordChange),
      );
    } catch (error) {
      throw this.store.toConflict(error) ?? error;
    }
  }

  private async read({ issuer, manager }: ScimWrite, id: string): Promise<Row> {
    return (await this.store.find(issuer, id, manager)) ?? this.throwNotFound();
  }

  private async respond(caller: OwnCaller, row: Row, query: ProjectionQuery): Promise<ScimResponse> {
    const { issuers } = this.services;
    const [resource = this.throwNotFound()] = await this.store.render(
      issuers.getIssuer(caller),
      [row],
      this.toProjection(query),
    );
    const location = `${issuers.getBaseUrl(caller.issuerId)}/${this.store.resourceType}s/${row.id}`;
    return { resource, etag: formatVersionTag(row.version), location };
  }

  private reportIgnored({ issuerId }: OwnCaller, method: 'POST' | 'PUT' | 'PATCH', id: string, names: string[]): void {
    this.services.ignored.report({ issuerId, resourceType: this.store.resourceType, method, id }, names);
  }

  private toProjection({ attributes, excludedAttributes }: ProjectionQuery) {
    return readProjection(this.store.resourceType, attributes, excludedAttributes);
  }

  private throwNotFound(): never {
    throw new ScimError(404, undefined, `There is no such ${this.kind}.`);
  }
}
