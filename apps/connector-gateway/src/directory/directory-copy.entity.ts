import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The last good answer of the enterprise manager to one question. */
@Entity('directory_copies')
@Index('directory_copies_age', ['confirmed_at'])
export class DirectoryCopyRow {
  /** `snapshot`, or the JSON list of a person's issuer and subject. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'directory_copies_pkey' })
  key!: string;

  @Column('text')
  etag!: string;

  @Column('jsonb')
  body!: unknown;

  /** When the enterprise manager last said that it holds. */
  @Column({ type: 'timestamptz', precision: 3 })
  confirmed_at!: string;
}
