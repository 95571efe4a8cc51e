import { inTransaction } from '@gatehouse/database/transaction';
import type { PricingSpec } from '@gatehouse/money/price-list';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { requireMatch } from '@gatehouse/service-kit/etag';
import { BATCH_BODY_BYTES } from '@gatehouse/service-kit/operation';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { getOwnerRef } from '@gatehouse/auth/owner-ref';
import {
  type Catalog,
  findEntry,
  formatEntryName,
  isStaged,
  listChangedFields,
  MAX_ENTRIES,
  putEntry,
  removeEntry,
} from './catalog.ts';
import { toMillisecondTime } from './millisecond-time.ts';
import type { PricingCatalogWrite, PricingEntryPath, PricingEntryWrite } from './pricing.dto.ts';
import { PricingRepository, type StoredCatalog } from './pricing.repository.ts';

const RETRIES = 5;
/**
 * The maximum size of a catalog that grew entry by entry: `PUT` of the whole catalog still accepts
 * it. The difference remains for aliases.
 */
const MAX_SPEC_BYTES = BATCH_BODY_BYTES - 256 * 1024;
const NO_CATALOG = 'there is no pricing catalog yet';

/** The ETag of a version, for the whole catalog and for each of its entries. */
export const createVersionETag = ({ id }: { id: string }): string => `"${id}"`;

/** A write of the catalog. */
interface CatalogEdit {
  operation: string;
  ifMatch: string | undefined;
  /**
   * Validates the request against the current catalog, before preconditions.
   * @throws HttpError invalid or not_found
   */
  check?: (before: StoredCatalog, now: string, manager: EntityManager) => Promise<void> | void;
  /** Returns the new catalog. @throws HttpError unprocessable */
  apply: (before: StoredCatalog) => Catalog;
  /** The time from which the new version is in effect; default now. */
  effectiveFrom?: string | undefined;
  /** Lists the changed fields for the audit event. */
  listChanges: (before: StoredCatalog, after: Catalog) => string[];
}

/** Writes of the pricing catalog. Each creates a version; writes of all replicas are serialized. */
@Injectable()
export class PricingService {
  constructor(
    private readonly repository: PricingRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Replaces the whole catalog, with immediate effect or from a time in the future on.
   *
   * @returns the id of the new version, and the ETag of the catalog in effect after the write
   * @throws HttpError invalid for a time in the past; not_found; precondition_required,
   * precondition_failed; conflict while a version is staged
   */
  put(
    caller: Caller,
    { effective_from, provider_aliases = {}, spec }: PricingCatalogWrite,
    ifMatch: string | undefined,
  ): Promise<{ id: string; etag: string }> {
    const from = effective_from === undefined ? undefined : toMillisecondTime(effective_from);
    if (effective_from !== undefined && from === undefined)
      throw fieldError('invalid', 'effective_from', 'must have at most three fraction digits');
    const edit: CatalogEdit = {
      operation: 'Put pricing catalog',
      ifMatch,
      check: async (before, now, manager) => {
        if (from === undefined || from >= now || from === before.effective_from) return;
        // An older catalog is written again with its own time: the stale ETag is the clearer error.
        if ((await this.repository.listByEffectiveFrom(manager, from)).length > 0)
          requireMatch(ifMatch, createVersionETag(before), 'required');
        throw fieldError(
          'invalid',
          'effective_from',
          `must be in the future, or ${before.effective_from} to replace the catalog now`,
        );
      },
      apply: () => ({ provider_aliases, spec }),
      effectiveFrom: from,
      listChanges: listChangedFields,
    };
    return this.write(caller, edit);
  }

  /**
   * Adds or replaces the price of one model: creates a version of the whole catalog with immediate
   * effect.
   *
   * @returns the ETag of the new version
   * @throws HttpError not_found without a catalog; precondition_required, precondition_failed;
   * conflict while a version is staged; unprocessable when the catalog is full
   */
  async putEntry(
    caller: Caller,
    { provider, model }: PricingEntryPath,
    entry: PricingEntryWrite,
    ifMatch: string | undefined,
  ): Promise<string> {
    const { etag } = await this.write(caller, {
      operation: 'Put pricing catalog entry',
      ifMatch,
      apply: (before) => replaceSpec(before, requireRoom(putEntry(before.spec, { provider, model, ...entry }))),
      listChanges: () => [formatEntryName(provider, model)],
    });
    return etag;
  }

  /**
   * Removes the price of one model: creates a version of the whole catalog with immediate effect.
   *
   * @returns the ETag of the new version
   * @throws HttpError not_found; precondition_required, precondition_failed; conflict while a
   * version is staged
   */
  async deleteEntry(
    caller: Caller,
    { provider, model }: PricingEntryPath,
    ifMatch: string | undefined,
  ): Promise<string> {
    const { etag } = await this.write(caller, {
      operation: 'Delete pricing catalog entry',
      ifMatch,
      check: ({ spec }) => {
        if (findEntry(spec, provider, model) === undefined) throw createEntryNotFoundError();
      },
      apply: (before) => replaceSpec(before, removeEntry(before.spec, provider, model)),
      listChanges: () => [formatEntryName(provider, model)],
    });
    return etag;
  }

  /**
   * Withdraws the staged version.
   *
   * @param effectiveFrom RFC 3339, compared as an instant
   * @throws HttpError not_found; conflict for a version that has come into effect
   */
  async withdraw(caller: Caller, effectiveFrom: string): Promise<void> {
    await inTransaction(
      this.dataSource,
      async (manager) => {
        await this.repository.lock(manager);
        const now = this.clock.now().toISOString();
        const at = toMillisecondTime(effectiveFrom);
        const [version] = at === undefined ? [] : await this.repository.listByEffectiveFrom(manager, at);
        if (version === undefined)
          throw new HttpError('not_found', 'there is no pricing catalog version with this effective_from');
        if (!isStaged(version, now))
          throw new HttpError(
            'conflict',
            `the version of ${version.effective_from} has come into effect and cannot be deleted; write a new version instead`,
          );
        await this.repository.withdraw(manager, version.id, now);
        await this.audit.record(manager, caller, {
          operation: 'Delete staged pricing catalog version',
          object_kind: 'pricing_catalog',
          object_id: version.id,
          changed_fields: ['effective_from'],
        });
      },
      { retries: RETRIES },
    );
  }

  private write(caller: Caller, edit: CatalogEdit): Promise<{ id: string; etag: string }> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        await this.repository.lock(manager);
        const now = this.clock.now().toISOString();
        const before = await this.repository.findInEffect(now, manager);
        if (before === undefined) throw new HttpError('not_found', NO_CATALOG);
        await edit.check?.(before, now, manager);
        requireMatch(edit.ifMatch, createVersionETag(before), 'required');
        const staged = await this.repository.findStaged(manager, now);
        if (staged !== undefined)
          throw new HttpError(
            'conflict',
            `a version is staged for ${staged}, and no other write is possible before; delete it first, or wait`,
          );
        const after = edit.apply(before);
        return this.add(manager, caller, edit, { before, after, now });
      },
      { retries: RETRIES },
    );
  }

  private async add(
    manager: EntityManager,
    caller: Caller,
    { operation, effectiveFrom, listChanges }: CatalogEdit,
    { before, after, now }: { before: StoredCatalog; after: Catalog; now: string },
  ): Promise<{ id: string; etag: string }> {
    const staged = effectiveFrom !== undefined && effectiveFrom > now && effectiveFrom !== before.effective_from;
    // Not earlier than the replaced version, which a replica with a fast clock may have written.
    const immediate = before.source === 'operator' && before.effective_from > now ? before.effective_from : now;
    const id = uuidv7();
    await this.repository.insert(manager, {
      id,
      ...after,
      effective_from: staged ? effectiveFrom : immediate,
      source: 'operator',
      created_at: staged ? now : immediate,
      created_by: getOwnerRef(this.settings.ISSUERS, caller),
      baseline_date: null,
    });
    await this.audit.record(manager, caller, {
      operation,
      object_kind: 'pricing_catalog',
      object_id: id,
      changed_fields: [...(staged ? ['effective_from'] : []), ...listChanges(before, after)],
    });
    return { id, etag: createVersionETag(staged ? before : { id }) };
  }
}

const replaceSpec = ({ provider_aliases }: Catalog, spec: PricingSpec): Catalog => ({ provider_aliases, spec });

/** @throws HttpError unprocessable for too many models or bytes */
function requireRoom(spec: PricingSpec): PricingSpec {
  if (spec.entries.length > MAX_ENTRIES)
    throw new HttpError(
      'unprocessable',
      `the catalog already has prices of ${MAX_ENTRIES} models, the maximum; delete an entry first`,
    );
  if (Buffer.byteLength(JSON.stringify(spec)) > MAX_SPEC_BYTES)
    throw new HttpError(
      'unprocessable',
      'the catalog would be larger than 8 MiB, the maximum of a complete catalog; delete entries first',
    );
  return spec;
}

/** The error for a model without a price. */
export const createEntryNotFoundError = (): HttpError =>
  new HttpError('not_found', 'the pricing catalog has no entry for this provider and model');

/** The error without any version. */
export const createCatalogNotFoundError = (): HttpError => new HttpError('not_found', NO_CATALOG);
