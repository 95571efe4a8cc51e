import { statement } from '@gatehouse/database/statement';
import { parseStoredJson } from '@gatehouse/service-kit/json-body';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type ClientConfig, KEPT_NUMBERS } from './client-config.dto.ts';

/** The documents and their revision. */
export type StoredClientConfig = ClientConfig & { revision: string };

const DOCUMENTS_SQL = `
  SELECT c.revision, c.config, coalesce((
    SELECT json_agg(json_build_object('group_id', o.group_id, 'precedence', o.precedence, 'config', o.config) ORDER BY o.precedence)
    FROM client_config_overrides o), '[]') AS overrides
  FROM client_config c`;
const DOCUMENTS = statement<StoredClientConfig>(DOCUMENTS_SQL);

const DOCUMENTS_TEXT = statement<{ document: string; revision: string }>(`
  SELECT d.revision, json_build_object('config', d.config, 'overrides', d.overrides)::text AS document FROM (${DOCUMENTS_SQL}) AS d`);

/** Stores the base document and the overrides. */
@Injectable()
export class ClientConfigRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads all documents in one statement, so that they are of the same moment. */
  async find(manager: EntityManager = this.dataSource.manager): Promise<StoredClientConfig> {
    const row = await DOCUMENTS.row(manager);
    if (!row) throw new Error('the table client_config has no row');
    return row;
  }

  /** Reads all documents; the numbers of KEPT_NUMBERS have the text that was written. */
  async findWithExactNumbers(
    manager: EntityManager = this.dataSource.manager,
  ): Promise<{ document: ClientConfig; revision: string }> {
    const row = await DOCUMENTS_TEXT.row(manager);
    if (!row) throw new Error('the table client_config has no row');
    return { document: (await parseStoredJson(row.document, KEPT_NUMBERS)) as ClientConfig, revision: row.revision };
  }

  /** Locks the documents against writes until the transaction ends. */
  async lockDocuments(manager: EntityManager): Promise<void> {
    await manager.query('SELECT 1 FROM client_config FOR UPDATE');
  }

  /** Replaces the base document and all overrides. */
  async replace(manager: EntityManager, { revision, config, overrides }: StoredClientConfig): Promise<void> {
    await manager.query('UPDATE client_config SET revision = $1, config = $2', [revision, JSON.stringify(config)]);
    await manager.query('DELETE FROM client_config_overrides');
    await manager.query(
      `INSERT INTO client_config_overrides (group_id, precedence, config)
       SELECT group_id, precedence, config FROM json_to_recordset($1) AS o (group_id uuid, precedence integer, config json)`,
      [JSON.stringify(overrides)],
    );
  }
}
