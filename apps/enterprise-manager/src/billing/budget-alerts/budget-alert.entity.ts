import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { instant } from '@gatehouse/database/instant';
import type { BudgetScope } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';

/** Selects the end of the validity of the previous secret. @param alert alias of the alerts */
export const selectPreviousValidUntil = (alert: string): string =>
  `SELECT max(valid_until) FROM budget_alert_secrets WHERE alert_id = ${alert}.id`;

/** A budget alert. A null scope, subject or list of periods matches all of them. */
@Entity('budget_alerts')
@Check('budget_alerts_scope', `scope = ANY (ARRAY['user'::text, 'group'::text])`)
@Check('budget_alerts_subject', 'subject_id IS NULL OR scope IS NOT NULL')
@Index('budget_alerts_order', ['created_at', 'id'])
export class BudgetAlertRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'budget_alerts_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  scope!: BudgetScope | null;

  @Column({ type: 'text', nullable: true, collation: 'C' })
  subject_id!: string | null;

  @Column('text', { array: true, nullable: true })
  periods!: Period[] | null;

  /** Percentages of the limit, in ascending order. */
  @Column('integer', { array: true })
  thresholds!: number[];

  @Column('text')
  url!: string;

  @Column('boolean')
  allow_private_ips!: boolean;

  @Column('boolean')
  enabled!: boolean;

  /** Counts the changes, for the ETag. */
  @Column('integer')
  version!: number;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;

  /** The end of the validity of the previous secret; null without one. */
  @VirtualColumn({
    ...instant,
    query: selectPreviousValidUntil,
  })
  previous_valid_until!: string | null;
}

/** A sealed signing secret of a budget alert: the current one, or the one before a rotation. */
@Entity('budget_alert_secrets')
@Index('budget_alert_secrets_of_alert', ['alert_id'])
@Index('budget_alert_secrets_key_version', ['key_version', 'id'])
export class BudgetAlertSecretRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'budget_alert_secrets_pkey' })
  id!: string;

  @Column('uuid')
  @ForeignKey(() => BudgetAlertRow, { name: 'budget_alert_secrets_alert_fkey', onDelete: 'CASCADE' })
  alert_id!: string;

  /** Version of the key-encryption key that wraps the data key. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  /** Null for the current secret. */
  @Column({ ...instant, nullable: true })
  valid_until!: string | null;
}
