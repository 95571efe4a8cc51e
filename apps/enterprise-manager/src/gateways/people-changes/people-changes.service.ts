import { statement } from '@gatehouse/database/statement';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { KEYS_TOPIC, RevisionWatch } from '../revisions/revision-watch.ts';
import { MAX_PEOPLE, type PeopleChanges } from './people-changes.dto.ts';

interface ChangesRow {
  revision: number;
  groups_revision: number;
  changed: { issuer: string; subject: string | null; binding_key: string | null; active: boolean; version: number }[];
}

/** One statement, so that revision and users come from the same database snapshot. */
const LIST_CHANGES = statement<ChangesRow>(
  `SELECT r.revision, r.groups_revision, COALESCE((
     SELECT jsonb_agg(to_jsonb(p) ORDER BY version)
     FROM (
       (SELECT issuer, subject, NULL AS binding_key, active, version FROM people_changes WHERE version > $1 ORDER BY version LIMIT ${MAX_PEOPLE + 1})
       UNION ALL
       (SELECT issuer, NULL, binding_key, active, version FROM binding_changes WHERE version > $1 ORDER BY version LIMIT ${MAX_PEOPLE + 1})
       ORDER BY version LIMIT ${MAX_PEOPLE + 1}) AS p), '[]') AS changed
   FROM key_revision r`,
);

/** Lists the users whose activity has changed. */
@Injectable()
export class PeopleChangesService {
  private readonly claims: ReadonlyMap<string, string>;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly dataSource: DataSource,
    private readonly watch: RevisionWatch,
  ) {
    this.claims = new Map(settings.ISSUERS.map(({ issuer, binding }) => [issuer, binding.claim]));
  }

  /**
   * Lists the changes after a version, and waits up to `waitMs` for one. Without a version it lists
   * all changes at once.
   * @param disconnected ends the wait when the client disconnects
   */
  listChanges(after: number | undefined, waitMs: number, disconnected: AbortSignal): Promise<PeopleChanges> {
    return this.watch.readUntilChanged(KEYS_TOPIC, after === undefined ? 0 : waitMs, disconnected, {
      read: async () => this.toDto(await this.read(after ?? 0), after ?? 0),
      isChanged: ({ people, bindings, all }) => people.length > 0 || bindings.length > 0 || all,
    });
  }

  private async read(after: number): Promise<ChangesRow> {
    const row = await LIST_CHANGES.row(this.dataSource.manager, [after]);
    if (row === undefined) throw new Error('the row of the table key_revision is missing');
    return row;
  }

  /**
   * Converts the changes to a response. A truncated list has the version from which the next
   * request continues.
   */
  private toDto({ revision, groups_revision, changed }: ChangesRow, after: number): PeopleChanges {
    if (revision < after) return { version: revision, people: [], bindings: [], all: true, reset: true };
    const shown = changed.slice(0, MAX_PEOPLE);
    const truncatedAt = changed.length > MAX_PEOPLE ? shown.at(-1)?.version : undefined;
    const people = shown.flatMap(({ issuer, subject, active }) =>
      subject === null ? [] : [{ issuer, subject, active }],
    );
    const bindings = shown.flatMap(({ issuer, binding_key, active }) =>
      binding_key === null ? [] : [{ issuer, claim: this.claims.get(issuer) ?? 'sub', binding_key, active }],
    );
    return { version: truncatedAt ?? revision, people, bindings, all: groups_revision > after, reset: false };
  }
}
