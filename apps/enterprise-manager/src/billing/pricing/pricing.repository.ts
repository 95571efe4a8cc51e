import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type KeysetStep, keysetSql } from '../../database/keyset.ts';
import type { Catalog, VersionTimes } from './catalog.ts';

/** A version as it is stored, without its prices. */
export interface StoredVersion extends VersionTimes {
  /** Order of writing. */
  position: number;
  source: 'baseline' | 'operator';
  created_by: string | null;
  entry_count: number;
}

/** A version with its prices. */
export type StoredCatalog = StoredVersion & Catalog;

/** A version that is to be stored. */
export interface NewVersion extends Catalog {
  id: string;
  effective_from: string;
  source: StoredVersion['source'];
  created_at: string;
  created_by: string | null;
  /** Of baselines: the day whose prices they hold. */
  baseline_date: string | null;
}

const VERSION = 'id, position, effective_from, source, created_at, created_by, entry_count, withdrawn_at';
const CATALOG = `${VERSION}, provider_aliases, spec`;

/**
 * Of several versions the one that counts: of operators before baselines, which count only until an
 * operator has written once, whatever they are dated.
 */
export const FIRST_IN_EFFECT = `ORDER BY (source = 'operator') DESC, effective_from DESC, position DESC LIMIT 1`;

/**
 * The version in effect now (`$1`). What was written for at once is so for whoever looks, also
 * where the clock of the replica that dated it is a little ahead.
 */
export const inEffectNow = (columns: string) => `
  SELECT ${columns} FROM pricing_catalogs
  WHERE withdrawn_at IS NULL AND (effective_from <= $1 OR effective_from = created_at) ${FIRST_IN_EFFECT}`;

const IN_EFFECT = statement<StoredCatalog>(inEffectNow(CATALOG));
const ID_IN_EFFECT = statement<{ id: string }>(inEffectNow('id'));
const BY_ID = statement<StoredCatalog>(`SELECT ${CATALOG} FROM pricing_catalogs WHERE id = $1`);
const AT = statement<StoredVersion>(
  `SELECT ${VERSION} FROM pricing_catalogs WHERE effective_from = $1 AND withdrawn_at IS NULL ORDER BY position DESC`,
);
const STAGED = statement<{ effective_from: string }>(`
  SELECT effective_from FROM pricing_catalogs
  WHERE withdrawn_at IS NULL AND source = 'operator' AND effective_from > $1 AND effective_from > created_at
  ORDER BY effective_from LIMIT 1`);
const OPERATORS = statement('SELECT 1 FROM pricing_catalogs WHERE source = $1 AND withdrawn_at IS NULL LIMIT 1');
const BASELINE = statement<Catalog & { baseline_date: string | null }>(`
  SELECT provider_aliases, spec, baseline_date FROM pricing_catalogs WHERE source = 'baseline'
  ORDER BY baseline_date DESC NULLS LAST, position DESC LIMIT 1`);

/** Where versions of the catalog lie. Rows are added and staged ones withdrawn, nothing else. */
@Injectable()
export class PricingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Lets one write of the catalog happen at a time, over all replicas, until the transaction ends.
   */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('pricing catalog', 0))`);
  }

  /** The version in effect now, with its prices. */
  inEffect(now: string, manager: EntityManager = this.dataSource.manager): Promise<StoredCatalog | undefined> {
    return IN_EFFECT.row(manager, [now]);
  }

  /** The id of the version in effect now. */
  async idInEffect(now: string): Promise<string | undefined> {
    return (await ID_IN_EFFECT.row(this.dataSource.manager, [now]))?.id;
  }

  /** Any version, also a withdrawn one. */
  byId(id: string): Promise<StoredCatalog | undefined> {
    return BY_ID.row(this.dataSource.manager, [id]);
  }

  /** The versions that come or came into effect at exactly this time. */
  at(manager: EntityManager, effectiveFrom: string): Promise<StoredVersion[]> {
    return AT.rows(manager, [effectiveFrom]);
  }

  /** When the staged version comes into effect, where there is one. */
  async staged(manager: EntityManager, now: string): Promise<string | undefined> {
    return (await STAGED.row(manager, [now]))?.effective_from;
  }

  /** Whether an operator has written, or staged, a version that stands. */
  async hasOperatorVersion(manager: EntityManager): Promise<boolean> {
    return (await OPERATORS.row(manager, ['operator'])) !== undefined;
  }

  /** The newest baseline that was stored. */
  newestBaseline(manager: EntityManager): Promise<(Catalog & { baseline_date: string | null }) | undefined> {
    return BASELINE.row(manager);
  }

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

  /** From now on the version counts for nothing. */
  async withdraw(manager: EntityManager, id: string, now: string): Promise<void> {
    await manager.query('UPDATE pricing_catalogs SET withdrawn_at = $2 WHERE id = $1', [id, now]);
  }

  /** A step through the versions that stand, the newest first. */
  list(step: KeysetStep): Promise<StoredVersion[]> {
    const params: unknown[] = [step.limit];
    const { where, orderBy } = keysetSql(step, [['position', 'bigint']], 'descending', params);
    return this.dataSource.query(
      `SELECT ${VERSION} FROM pricing_catalogs WHERE withdrawn_at IS NULL AND ${where} ORDER BY ${orderBy} LIMIT $1`,
      params,
    );
  }
}
