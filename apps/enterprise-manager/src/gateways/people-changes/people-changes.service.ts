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

/** Revision and people are of one moment: they are one statement. */
const CHANGES = statement<ChangesRow>(
  `SELECT r.revision, r.groups_revision, COALESCE((
     SELECT jsonb_agg(to_jsonb(p) ORDER BY version)
     FROM (
       (SELECT issuer, subject, NULL AS binding_key, active, version FROM people_changes WHERE version > $1 ORDER BY version LIMIT ${MAX_PEOPLE + 1})
       UNION ALL
       (SELECT issuer, NULL, binding_key, active, version FROM binding_changes WHERE version > $1 ORDER BY version LIMIT ${MAX_PEOPLE + 1})
       ORDER BY version LIMIT ${MAX_PEOPLE + 1}) AS p), '[]') AS changed
   FROM key_revision r`,
);

/** Tells other services whose activity has changed. */
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
   * What has changed after a version; waits up to `waitMs` for something. Without a version
   * everything is told at once.
   */
  async changes(after: number | undefined, waitMs: number, gone: AbortSignal): Promise<PeopleChanges> {
    const deadline = performance.now() + (after === undefined ? 0 : waitMs);
    for (;;) {
      const looked = new AbortController();
      const remaining = Math.max(0, deadline - performance.now());
      // Waiting begins before the look: a change between the two is not missed.
      const change = this.watch.next(KEYS_TOPIC, remaining, AbortSignal.any([gone, looked.signal]));
      try {
        const found = this.changesOf(await this.look(after ?? 0), after ?? 0);
        const isNews = found.people.length > 0 || found.bindings.length > 0 || found.all;
        if (isNews || remaining === 0 || gone.aborted || this.watch.ending) return found;
        await change;
      } finally {
        looked.abort();
      }
    }
  }

  private async look(after: number): Promise<ChangesRow> {
    const row = await CHANGES.row(this.dataSource.manager, [after]);
    if (row === undefined) throw new Error('the row that counts the changes of keys is missing');
    return row;
  }

  /**
   * Changes as a gateway gets them. A list that is cut ends with a version from which the next
   * question goes on.
   */
  private changesOf({ revision, groups_revision, changed }: ChangesRow, after: number): PeopleChanges {
    if (revision < after) return { version: revision, people: [], bindings: [], all: true, reset: true };
    const shown = changed.slice(0, MAX_PEOPLE);
    const cut = changed.length > MAX_PEOPLE ? shown.at(-1)?.version : undefined;
    const people = shown.flatMap(({ issuer, subject, active }) =>
      subject === null ? [] : [{ issuer, subject, active }],
    );
    const bindings = shown.flatMap(({ issuer, binding_key, active }) =>
      binding_key === null ? [] : [{ issuer, claim: this.claims.get(issuer) ?? 'sub', binding_key, active }],
    );
    return { version: cut ?? revision, people, bindings, all: groups_revision > after, reset: false };
  }
}
