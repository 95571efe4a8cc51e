import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ENTITLEMENTS_TOPIC, RevisionWatch } from '../revisions/revision-watch.ts';
import { Gateways } from '../settings/gateways.ts';
import { type EntitlementChanges, MAX_CHANGED_USERS } from './entitlement-changes.dto.ts';

/** Number of the latest revisions whose changes are stored (CreateEntitlementChanges). */
const STORED_REVISIONS = 2_000;

/** A stored change. Without a user it concerns all users. */
interface ChangeRow {
  user_id: string | null;
  issuer: string;
  subject: string | null;
}

interface ChangesRow {
  revision: number;
  changed: ChangeRow[];
}

/** One statement, so that revision and changes come from the same database snapshot. */
const LIST_CHANGES = statement<ChangesRow>(
  `SELECT r.revision, COALESCE((
     SELECT jsonb_agg(jsonb_build_object('user_id', user_id, 'issuer', issuer, 'subject', subject))
     FROM (SELECT user_id, issuer, subject FROM entitlement_changes
       WHERE version > $1 AND (gateway_id IS NULL OR gateway_id = $2) LIMIT ${MAX_CHANGED_USERS + 1}) AS c), '[]') AS changed
   FROM key_revision r`,
);

/** Lists the users whose entitlements have changed. */
@Injectable()
export class EntitlementChangesService {
  constructor(
    private readonly gateways: Gateways,
    private readonly dataSource: DataSource,
    private readonly watch: RevisionWatch,
  ) {}

  /**
   * Lists the changes after a version, and waits up to `waitMs` for one. Without a version it
   * returns the current one at once.
   * @param disconnected ends the wait when the client disconnects
   * @throws HttpError not_found
   */
  async listChanges(
    gatewayId: string,
    after: number | undefined,
    waitMs: number,
    disconnected: AbortSignal,
  ): Promise<EntitlementChanges> {
    this.gateways.require(gatewayId);
    if (after === undefined) {
      const { revision } = await this.read(gatewayId, Number.MAX_SAFE_INTEGER);
      return { version: revision, users: [], all: false, reset: false };
    }
    return this.watch.readUntilChanged(ENTITLEMENTS_TOPIC, waitMs, disconnected, {
      read: async () => toDto(await this.read(gatewayId, after), after),
      isChanged: ({ users, all }) => users.length > 0 || all,
    });
  }

  private async read(gatewayId: string, after: number): Promise<ChangesRow> {
    const row = await LIST_CHANGES.row(this.dataSource.manager, [after, gatewayId]);
    if (row === undefined) throw new Error('the row of the table key_revision is missing');
    return row;
  }
}

function toDto({ revision, changed }: ChangesRow, after: number): EntitlementChanges {
  const reset = revision < after;
  const isPruned = after < revision - STORED_REVISIONS;
  const all =
    reset || isPruned || changed.length > MAX_CHANGED_USERS || changed.some(({ user_id }) => user_id === null);
  if (all) return { version: revision, users: [], all, reset };
  const users = changed.flatMap(({ user_id, issuer, subject }) =>
    user_id === null ? [] : [{ user_id, issuer, ...(subject !== null && { subject }) }],
  );
  return {
    version: revision,
    users: [...new Map(users.map((user) => [JSON.stringify(user), user])).values()],
    all,
    reset,
  };
}
