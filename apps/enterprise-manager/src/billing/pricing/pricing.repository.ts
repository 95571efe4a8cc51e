import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type KeysetStep, buildKeysetSql } from '@gatehouse/database/keyset';
import type { Catalog, VersionTimes } from './catalog.ts';

/** A stored version without its prices. */
export interface StoredVersion extends VersionTimes {
  /** The position in the order of writes. */
  position: number;
  source: 'baseline' | 'operator';
  created_by: string | null;
  entry_count: number;
}

/** A stored version with its prices. */
export type StoredCatalog = StoredVersion & Catalog;

/** A new version. */
export interface NewVersion extends Catalog {
  id: string;
  effective_from: string;
  source: StoredVersion['source'];
  created_at: string;
  created_by: string | null;
  /** The day of the prices of a baseline; null for versions of operators. */
  baseline_date: string | null;
}

const VERSION = 'id, position, effective_from, source, created_at, created_by, entry_count, withdrawn_at';
const CATALOG = `${VERSION}, provider_aliases, spec`;

/**
 * Selects the version in effect of several: versions of operators come before baselines, regardless
 * of their times.
 */
export const FIRST_IN_EFFECT = `ORDER BY (source = 'operator') DESC, effective_from DESC, position DESC LIMIT 1`;

/**
 * Selects the version in effect now (`$1`). A version with immediate effect counts on every replica
 * at once, even if the clock of the writing replica was fast.
 */
export const selectInEffect = (columns: string) => `
  SELECT ${columns} FROM pricing_catalogs
  WHERE withdrawn_at IS NULL AND (effective_from <= $1 OR effective_from = created_at) ${FIRST_IN_EFFECT}`;

const IN_EFFECT = statement<StoredCatalog>(selectInEffect(CATALOG));
const ID_IN_EFFECT = statement<{ id: string }>(selectInEffect('id'));
const BY_ID = statement<StoredCatalog>(`SELECT ${CATALOG} FROM pricing_catalogs WHERE id = $1`);
const BY_EFFECTIVE_FROM = statement<StoredVersion>(
  `SELECT ${VERSION} FROM pricing_catalogs WHERE effective_from = $1 AND withdrawn_at IS NULL ORDER BY position DESC`,
);
const STAGED = statement<{ effective_from: string }>(`
  SELECT effective_from FROM pricing_catalogs
  WHERE withdrawn_at IS NULL AND source = 'operator' AND effective_from > $1 AND effective_from > created_at
  ORDER BY effective_from LIMIT 1`);
const ANY_OF_OPERATOR = statement('SELECT 1 FROM pricing_catalogs WHERE source = $1 AND withdrawn_at IS NULL LIMIT 1');
const NEWEST_BASELINE = statement<Catalog & { baseline_date: string | null }>(`
  SELECT provider_aliases, spec, baseline_date FROM pricing_catalogs WHERE source = 'baseline'
  ORDER BY baseline_date DESC NULLS LAST, position DESC LIMIT 1`);

/** Versions of the catalog in the database. They are added and withdrawn, never changed. */
@Injectable()
export class PricingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Locks the catalog against other writes on all replicas until the transaction ends. */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('pricing catalog', 0))`);
  }

  /** Finds the version in effect now, with its prices. */
  findInEffect(now: string, manager: EntityManager = this.dataSource.manager): Promise<StoredCatalog | undefined> {
    return IN_EFFECT.row(manager, [now]);
  }

  /** Finds the id of the version in effect now. */
  async findIdInEffect(now: string): Promise<string | undefined> {
    return (await ID_IN_EFFECT.row(this.dataSource.manager, [now]))?.id;
  }

  /** Finds a version, also a withdrawn one. */
  find(id: string): Promise<StoredCatalog | undefined> {
    return BY_ID.row(this.dataSource.manager, [id]);
  }

  /** Lists the versions with this exact `effective_from`, the last write first. */
  listByEffectiveFrom(manager: EntityManager, effectiveFrom: string): Promise<StoredVersion[]> {
    return BY_EFFECTIVE_FROM.rows(manager, [effectiveFrom]);
  }

  /** Finds the `effective_from` of the staged version. */
  async findStaged(manager: EntityManager, now: string): Promise<string | undefined> {
    return (await STAGED.row(manager, [now]))?.effective_from;
  }

  /** Whether an operator has written or staged a version that is not withdrawn. */
  async hasOperatorVersion(manager: EntityManager): Promise<boolean> {
    return (await ANY_OF_OPERATOR.row(manager, ['operator'])) !== undefined;
  }

  /** Finds the newest stored baseline. */
  findNewestBaseline(manager: EntityManager): Promise<(Catalog & { baseline_date: string | null }) | undefined> {
    return NEWEST_BASELINE.row(manager);
  }

  /** Adds a version. */
  async insert(manager: EntityManager, version: NewVersion): Promise<void> {
    await manager.query(
      `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at, created_by, baseline_date)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        version.id,
        version.effective_from,
        version.source,
        JSON.stringify(version.provider_aliases),
        JSON.stringify(version.spec),
        version.created_at,
        version.created_by,
        version.baseline_date,
      ],
    );
  }

  /** Withdraws a staged version. */
  async withdraw(manager: EntityManager, id: string, now: string): Promise<void> {
    await manager.query('UPDATE pricing_catalogs SET withdrawn_at = $2 WHERE id = $1', [id, now]);
  }

  /** Lists versions that are not withdrawn, newest first. */
  list(step: KeysetStep): Promise<StoredVersion[]> {
    const params: unknown[] = [step.limit];
    const { where, orderBy } = buildKeysetSql(step, [['position', 'bigint']], 'descending', params);
    return this.dataSource.query(
      `SELECT ${VERSION} FROM pricing_catalogs WHERE withdrawn_at IS NULL AND ${where} ORDER BY ${orderBy} LIMIT $1`,
      params,
    );
  }
}
