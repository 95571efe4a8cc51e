import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A copy of the enterprise manager's last good response. */
@Entity('directory_copies')
@Index('directory_copies_age', ['confirmed_at'])
export class DirectoryCopyRow {
  /** `snapshot`, or the JSON list of a user's issuer and subject. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'directory_copies_pkey' })
  key!: string;

  @Column('text')
  etag!: string;

  @Column('jsonb')
  body!: unknown;

  /** The time of the last confirmation. */
  @Column({ type: 'timestamptz', precision: 3 })
  confirmed_at!: string;
}
