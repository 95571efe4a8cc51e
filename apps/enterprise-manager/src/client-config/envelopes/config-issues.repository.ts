import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Stored } from '../../database/stored.ts';
import { groupsHolding } from '../../people/group-sql.ts';
import type { ConfigHolder } from './config-holder.ts';
import type { ConfigIssueRow } from './config-issue.entity.ts';

/** The last issue for a holder. */
export type StoredIssue = Omit<Stored<ConfigIssueRow>, 'issuer' | 'subject' | 'client_type'>;

/** What decides on a holder's configuration, of one moment. */
export interface ConfigFacts {
  /** Revision of the documents. */
  revision: string;
  /** Groups of the person that have an override, by precedence. */
  group_ids: string[];
  issue: StoredIssue | null;
}

const FACTS = statement<ConfigFacts>(`
  SELECT c.revision,
         coalesce((SELECT jsonb_agg(o.group_id ORDER BY o.precedence) FROM client_config_overrides o
                   WHERE o.group_id IN (${groupsHolding('$1::uuid')})), '[]') AS group_ids,
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

const CLEAR_OUT = statement(`
  DELETE FROM config_issues WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM config_issues WHERE not_after <= $1 ORDER BY not_after LIMIT 10 FOR UPDATE SKIP LOCKED))`);

/** What was issued to whom. */
@Injectable()
export class ConfigIssuesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param userId active directory entry of the person, if there is one */
  async factsOf({ issuer, subject, clientType }: ConfigHolder, userId: string | undefined): Promise<ConfigFacts> {
    const facts = await FACTS.row(this.dataSource.manager, [userId ?? null, issuer, subject, clientType]);
    if (!facts) throw new Error('the table client_config has lost its row');
    return facts;
  }

  /**
   * Records an issue unless another one was recorded since the facts were read.
   * @param replaces `issued_at` of the issue that was found then; undefined when there was none
   */
  async record(
    { issuer, subject, clientType }: ConfigHolder,
    { basis, kid, issued_at, not_after, signature }: StoredIssue,
    replaces: string | undefined,
  ): Promise<boolean> {
    const params = [issuer, subject, clientType, basis, kid, issued_at, not_after, signature, replaces ?? null];
    return (await RECORD.row(this.dataSource.manager, params)) !== undefined;
  }

  /**
   * Removes a few issues that are over: more than one for each holder who is new, so that those who
   * come no more do not add up.
   */
  async clearOut(now: string): Promise<void> {
    await CLEAR_OUT.rows(this.dataSource.manager, [now]);
  }
}
