import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '@gatehouse/database/instant';

/** The last envelope that was issued to a recipient. */
@Entity('config_issues')
@Index('config_issues_end', ['not_after'])
export class ConfigIssueRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'config_issues_pkey' })
  issuer!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'config_issues_pkey' })
  subject!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'config_issues_pkey' })
  client_type!: string;

  /** Digest of the envelope's content without its times. */
  @Column('text')
  basis!: string;

  /** The key that signed it. */
  @Column('text')
  kid!: string;

  @Column(instant)
  issued_at!: string;

  @Column(instant)
  not_after!: string;

  @Column('text')
  signature!: string;
}
