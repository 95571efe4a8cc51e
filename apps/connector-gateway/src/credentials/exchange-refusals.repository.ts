import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Person } from '../mcp/ports/personal-credentials.ts';
import type { TokenOwner } from '../vault/token-owner.ts';

const ADD = statement<{ added: boolean }>(`
  INSERT INTO exchange_refusals AS r (issuer, subject, connector_id, error, refused_at)
  VALUES ($1, $2, $3, $4, now())
  ON CONFLICT (issuer, subject, connector_id) DO UPDATE SET error = excluded.error, refused_at = excluded.refused_at
  RETURNING xmax = 0 AS added`);
const REMOVE = statement('DELETE FROM exchange_refusals WHERE issuer = $1 AND subject = $2 AND connector_id = $3');
const LIST = statement<{ connector_id: string }>(
  'SELECT connector_id FROM exchange_refusals WHERE issuer = $1 AND subject = $2',
);

/** Stores the exchanges that a provider refused until the person signs in or consents there. */
@Injectable()
export class ExchangeRefusalsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns whether the person had no refusal at this connector before */
  async add({ issuer, subject, connectorId }: TokenOwner, error: string): Promise<boolean> {
    const row = await ADD.row(this.dataSource.manager, [issuer, subject, connectorId, error]);
    return row?.added === true;
  }

  async remove({ issuer, subject, connectorId }: TokenOwner): Promise<void> {
    await REMOVE.rows(this.dataSource.manager, [issuer, subject, connectorId]);
  }

  /** The ids of the connectors with a refusal. */
  async list({ issuer, subject }: Person): Promise<ReadonlySet<string>> {
    const rows = await LIST.rows(this.dataSource.manager, [issuer, subject]);
    return new Set(rows.map(({ connector_id }) => connector_id));
  }
}
