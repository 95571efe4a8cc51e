import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A connector whose first list since its tools are pinned is stored. */
@Entity('tool_baselines')
export class ToolBaselineRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'tool_baselines_pkey' })
  connector_id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  taken_at!: string;
}
