import { statement } from '@gatehouse/database/statement';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { parseOwnerRef } from '@gatehouse/auth/owner-ref';
import type { Batches } from '../../database/text-stream.ts';

const NAMES = statement<{ place: number; user_name: string }>(
  `SELECT a.place, u.user_name FROM unnest($1::int[], $2::text[], $3::text[]) AS a (place, issuer, subject)
   CROSS JOIN LATERAL (SELECT user_name FROM users WHERE issuer = a.issuer AND subject = a.subject OFFSET 0) AS u`,
);

/** The user names of subjects, from the directory. */
@Injectable()
export class UserNames {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Adds user names to rows, batch by batch. The name is empty for a user without a directory
   * entry.
   */
  async *addNames<Row>(batches: Batches<Row>, getSubject: (row: Row) => string): Batches<Row & { user_name: string }> {
    for await (const batch of batches) {
      const names = await this.findNames([...new Set(batch.map(getSubject))]);
      yield batch.map((row) => ({ ...row, user_name: names.get(getSubject(row)) ?? '' }));
    }
  }

  private async findNames(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const people = subjects.map((subject) => parseOwnerRef(this.settings.ISSUERS, subject));
    const rows = await NAMES.rows(this.dataSource.manager, [
      people.map((_, place) => place),
      people.map((person) => person?.issuer ?? null),
      people.map((person) => person?.subject ?? null),
    ]);
    return new Map(rows.map(({ place, user_name }) => [subjects[place] ?? '', user_name]));
  }
}
