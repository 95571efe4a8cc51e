import { statement } from '@gatehouse/database/statement';
import { parseStoredJson } from '@gatehouse/service-kit/json-body';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type ClientConfig, KEPT_NUMBERS } from './client-config.dto.ts';

/** The documents and the revision that they are of. */
export type StoredClientConfig = ClientConfig & { revision: string };

const DOCUMENTS_SQL = `
  SELECT c.revision, c.config, coalesce((
    SELECT json_agg(json_build_object('group_id', o.group_id, 'precedence', o.precedence, 'config', o.config) ORDER BY o.precedence)
    FROM client_config_overrides o), '[]') AS overrides
  FROM client_config c`;
const DOCUMENTS = statement<StoredClientConfig>(DOCUMENTS_SQL);

const AS_WRITTEN = statement<{ document: string; revision: string }>(`
  SELECT d.revision, json_build_object('config', d.config, 'overrides', d.overrides)::text AS document FROM (${DOCUMENTS_SQL}) AS d`);

/** Where the documents lie. */
@Injectable()
export class ClientConfigRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** All documents, of one moment. */
  async find(manager: EntityManager = this.dataSource.manager): Promise<StoredClientConfig> {
    const row = await DOCUMENTS.row(manager);
    if (!row) throw new Error('the table client_config has lost its row');
    return row;
  }

  /** The same for administrators: numbers keep their text. */
  async findAsWritten(
    manager: EntityManager = this.dataSource.manager,
  ): Promise<{ document: ClientConfig; revision: string }> {
    const row = await AS_WRITTEN.row(manager);
    if (!row) throw new Error('the table client_config has lost its row');
    return { document: (await parseStoredJson(row.document, KEPT_NUMBERS)) as ClientConfig, revision: row.revision };
  }

  /** Keeps others from writing the documents until the transaction ends. */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query('SELECT 1 FROM client_config FOR UPDATE');
  }

  /**
   * Keeps these groups from being removed until the transaction ends.
   * @returns those that there are
   */
  async holdGroups(manager: EntityManager, ids: readonly string[]): Promise<Set<string>> {
    const rows: { id: string }[] = await manager.query(
      'SELECT id FROM groups WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

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
