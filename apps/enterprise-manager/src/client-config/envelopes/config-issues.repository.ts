import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Stored } from '@gatehouse/database/stored';
import { selectGroupsOfUser } from '../../people/group-sql.ts';
import type { ConfigRecipient } from './config-recipient.ts';
import type { ConfigIssueRow } from './config-issue.entity.ts';

/** The last envelope that was issued to a recipient. */
export type StoredIssue = Omit<Stored<ConfigIssueRow>, 'issuer' | 'subject' | 'client_type'>;

/** The data that determines a recipient's envelope, read in one statement. */
export interface ConfigFacts {
  /** Revision of the documents. */
  revision: string;
  /** The user's groups with an override, by precedence. */
  group_ids: string[];
  issue: StoredIssue | null;
}

const FACTS = statement<ConfigFacts>(`
  SELECT c.revision,
         coalesce((SELECT jsonb_agg(o.group_id ORDER BY o.precedence) FROM client_config_overrides o
                   WHERE o.group_id IN (${selectGroupsOfUser('$1::uuid')})), '[]') AS group_ids,
         (SELECT jsonb_build_object('basis', i.basis, 'kid', i.kid, 'signature', i.signature,
                   'issued_at', to_char(i.issued_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                   'not_after', to_char(i.not_after, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          FROM config_issues i WHERE i.issuer = $2 AND i.subject = $3 AND i.client_type = $4) AS issue
  FROM client_config c`);

const RECORD = statement<{ recorded: boolean }>(`
  INSERT INTO config_issues AS held (issuer, subject, client_type, basis, kid, issued_at, not_after, signature)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (issuer, subject, client_type) DO UPDATE SET basis = EXCLUDED.basis, kid = EXCLUDED.kid,
    issued_at = EXCLUDED.issued_at, not_after = EXCLUDED.not_after, signature = EXCLUDED.signature
  WHERE held.issued_at = $9::timestamptz
  RETURNING TRUE AS recorded`);

const DELETE_SOME_EXPIRED = statement(`
  DELETE FROM config_issues WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM config_issues WHERE not_after <= $1 ORDER BY not_after LIMIT 10 FOR UPDATE SKIP LOCKED))`);

/** Stores the last issued envelope of each recipient. */
@Injectable()
export class ConfigIssuesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reads the data for an envelope.
   * @param userId the user's active directory entry; undefined without one
   */
  async readFacts({ issuer, subject, clientType }: ConfigRecipient, userId: string | undefined): Promise<ConfigFacts> {
    const facts = await FACTS.row(this.dataSource.manager, [userId ?? null, issuer, subject, clientType]);
    if (!facts) throw new Error('the table client_config has no row');
    return facts;
  }

  /**
   * Stores an issued envelope.
   * @param replaces `issued_at` of the stored envelope that was read; undefined without one
   * @returns false if another envelope has been stored since then
   */
  async record(
    { issuer, subject, clientType }: ConfigRecipient,
    { basis, kid, issued_at, not_after, signature }: StoredIssue,
    replaces: string | undefined,
  ): Promise<boolean> {
    const params = [issuer, subject, clientType, basis, kid, issued_at, not_after, signature, replaces ?? null];
    return (await RECORD.row(this.dataSource.manager, params)) !== undefined;
  }

  /**
   * Deletes up to ten expired envelopes. It runs once for each new recipient, so the table does not
   * grow with recipients that no longer fetch envelopes.
   */
  async deleteSomeExpired(now: string): Promise<void> {
    await DELETE_SOME_EXPIRED.rows(this.dataSource.manager, [now]);
  }
}
