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
import { AuditService } from '../../audit/audit.service.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { personRef } from '../../validation/person-ref.ts';
import {
  type Catalog,
  changedFields,
  entryName,
  entryOf,
  isStaged,
  MAX_ENTRIES,
  withEntry,
  withoutEntry,
} from './catalog.ts';
import { exactMilliseconds } from './moment.ts';
import type { PricingCatalogWrite, PricingEntryPath, PricingEntryWrite } from './pricing.dto.ts';
import { PricingRepository, type StoredCatalog } from './pricing.repository.ts';

const RETRIES = 5;
/** What is written price by price can be written whole again: this leaves room for aliases. */
const MAX_SPEC_BYTES = BATCH_BODY_BYTES - 256 * 1024;
const NO_CATALOG = 'there is no pricing catalog yet';

/** The ETag of a version, for the whole catalog and for each of its entries. */
export const tagOf = ({ id }: { id: string }): string => `"${id}"`;

/** What a write makes of the catalog in effect. */
interface Edit {
  operation: string;
  ifMatch: string | undefined;
  /**
   * Judges what the request says against what is there.
   * @throws HttpError invalid or not_found, which come before preconditions
   */
  check?: (before: StoredCatalog, now: string, manager: EntityManager) => Promise<void> | void;
  /** The catalog that takes the place of the other. @throws HttpError unprocessable */
  apply: (before: StoredCatalog) => Catalog;
  /** When it comes into effect; at once where it says nothing. */
  effectiveFrom?: string | undefined;
  changed: (before: StoredCatalog, after: Catalog) => string[];
}

/** Writes of the pricing catalog: each makes a new version, one at a time over all replicas. */
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
   * Replaces the whole catalog, at once or from a time in the future on.
   *
   * @returns the id of the new version, and the ETag of the catalog that is in effect now
   * @throws HttpError invalid for a time that is past; not_found; precondition_required,
   * precondition_failed; conflict while a version is staged
   */
  put(
    caller: Caller,
    { effective_from, provider_aliases = {}, spec }: PricingCatalogWrite,
    ifMatch: string | undefined,
  ): Promise<{ id: string; etag: string }> {
    const from = effective_from === undefined ? undefined : exactMilliseconds(effective_from);
    if (effective_from !== undefined && from === undefined)
      throw fieldError('invalid', 'effective_from', 'must not be finer than a millisecond');
    const edit: Edit = {
      operation: 'Put pricing catalog',
      ifMatch,
      check: async (before, now, manager) => {
        if (from === undefined || from >= now || from === before.effective_from) return;
        // Somebody who writes an older catalog again, as it was read, has a stale ETag, and is told
        // so.
        if ((await this.repository.at(manager, from)).length > 0) requireMatch(ifMatch, tagOf(before), 'required');
        throw fieldError(
          'invalid',
          'effective_from',
          `must be in the future, or ${before.effective_from} to replace the catalog now`,
        );
      },
      apply: () => ({ provider_aliases, spec }),
      effectiveFrom: from,
      changed: changedFields,
    };
    return this.write(caller, edit);
  }

  /**
   * Sets the price of one model: the whole catalog with it becomes a new version, in effect at
   * once.
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
      apply: (before) => changedSpec(before, notFull(withEntry(before.spec, { provider, model, ...entry }))),
      changed: () => [entryName(provider, model)],
    });
    return etag;
  }

  /**
   * Takes the price of one model away: the whole catalog without it becomes a new version, in
   * effect at once.
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
        if (entryOf(spec, provider, model) === undefined) throw noEntry();
      },
      apply: (before) => changedSpec(before, withoutEntry(before.spec, provider, model)),
      changed: () => [entryName(provider, model)],
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
        const at = exactMilliseconds(effectiveFrom);
        const [version] = at === undefined ? [] : await this.repository.at(manager, at);
        if (version === undefined) throw new HttpError('not_found', 'there is no pricing catalog version of this time');
        if (!isStaged(version, now))
          throw new HttpError(
            'conflict',
            `the version of ${version.effective_from} has come into effect, which cannot be undone`,
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

  private write(caller: Caller, edit: Edit): Promise<{ id: string; etag: string }> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        await this.repository.lock(manager);
        const now = this.clock.now().toISOString();
        const before = await this.repository.inEffect(now, manager);
        if (before === undefined) throw new HttpError('not_found', NO_CATALOG);
        await edit.check?.(before, now, manager);
        requireMatch(edit.ifMatch, tagOf(before), 'required');
        const staged = await this.repository.staged(manager, now);
        if (staged !== undefined)
          throw new HttpError(
            'conflict',
            `a version is staged for ${staged}, and nothing else is written before; delete it first, or wait`,
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
    { operation, effectiveFrom, changed }: Edit,
    { before, after, now }: { before: StoredCatalog; after: Catalog; now: string },
  ): Promise<{ id: string; etag: string }> {
    const staged = effectiveFrom !== undefined && effectiveFrom > now && effectiveFrom !== before.effective_from;
    // Never dated before the version that it replaces, which a replica with a clock that is ahead
    // may have written.
    const immediate = before.source === 'operator' && before.effective_from > now ? before.effective_from : now;
    const id = uuidv7();
    await this.repository.insert(manager, {
      id,
      ...after,
      effective_from: staged ? effectiveFrom : immediate,
      source: 'operator',
      created_at: staged ? now : immediate,
      created_by: personRef(this.settings.ISSUERS, caller),
      baseline_date: null,
    });
    await this.audit.record(manager, caller, {
      operation,
      object_kind: 'pricing_catalog',
      object_id: id,
      changed_fields: [...(staged ? ['effective_from'] : []), ...changed(before, after)],
    });
    return { id, etag: tagOf(staged ? before : { id }) };
  }
}

const changedSpec = ({ provider_aliases }: Catalog, spec: PricingSpec): Catalog => ({ provider_aliases, spec });

function notFull(spec: PricingSpec): PricingSpec {
  if (spec.entries.length > MAX_ENTRIES)
    throw new HttpError('unprocessable', `the catalog prices ${MAX_ENTRIES} models already, and cannot hold more`);
  if (Buffer.byteLength(JSON.stringify(spec)) > MAX_SPEC_BYTES)
    throw new HttpError('unprocessable', 'the catalog would be too large to be written whole again (8 MiB)');
  return spec;
}

/** The refusal for a model that has no price. */
export const noEntry = (): HttpError =>
  new HttpError('not_found', 'the pricing catalog has no entry for this provider and model');

/** The refusal where there is no version at all. */
export const noCatalog = (): HttpError => new HttpError('not_found', NO_CATALOG);
