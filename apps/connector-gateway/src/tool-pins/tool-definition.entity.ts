import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { PinStatus } from '../mcp/ports/tool-pin-store.ts';

/** A definition of a tool that an upstream has listed while its tools were pinned. */
@Entity('tool_definitions')
@Unique('tool_definitions_key', ['connector_id', 'tool', 'hash'])
@Index('tool_definitions_changes', ['first_seen_at', 'id'], { where: `status <> 'baseline'` })
@Check('tool_definitions_status_check', `"status" IN ('baseline', 'accepted', 'pending', 'rejected')`)
@Check('tool_definitions_decision_check', `("status" IN ('accepted', 'rejected')) = ("decided_at" IS NOT NULL)`)
export class ToolDefinitionRow {
  /** The id of the change. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tool_definitions_pkey' })
  id!: string;

  @Column('text')
  connector_id!: string;

  /** The upstream's own name. */
  @Column('text')
  tool!: string;

  /** Lower-case hex SHA-256 of the canonical JSON. */
  @Column('text')
  hash!: string;

  /** Canonical JSON; null if it is too large to be stored. Text keeps all its escapes. */
  @Column('text', { nullable: true })
  definition!: string | null;

  /** Bytes of the canonical JSON. */
  @Column('integer')
  definition_bytes!: number;

  @Column('text')
  status!: PinStatus;

  /** The accepted definition of the tool when this one came; null for a new tool. */
  @Column('uuid', { nullable: true })
  replaced_id!: string | null;

  /** Number of undecided definitions of the tool that gave way to this one. */
  @Column('integer')
  superseded!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  first_seen_at!: string;

  /** Up to five minutes late. */
  @Column({ type: 'timestamptz', precision: 3 })
  last_seen_at!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  decided_at!: string | null;

  /** The administrator. */
  @Column('text', { nullable: true })
  decided_issuer!: string | null;

  @Column('text', { nullable: true })
  decided_subject!: string | null;
}
