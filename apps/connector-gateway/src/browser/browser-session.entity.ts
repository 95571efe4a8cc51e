import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A browser in which a user is signed in at the corporate provider. */
@Entity('browser_sessions')
@Index('browser_sessions_by_expiry', ['expires_at'])
export class BrowserSessionRow {
  /** SHA-256 of the cookie. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'browser_sessions_pkey' })
  id_hash!: Buffer;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  /** The name of the user for pages. */
  @Column('text')
  display_name!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: string;
}
