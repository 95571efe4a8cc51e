import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { GROUP_COLUMNS, selectGroupsOfUser, MEMBER_COUNT } from '../group-sql.ts';
import type { CountedGroup } from '../groups/groups.repository.ts';
import type { UserRow } from '../users/user.entity.ts';

/** The columns of a directory entry in a profile. */
export type ProfileEntry = Pick<UserRow, 'id' | 'user_name' | 'display_name' | 'email' | 'source' | 'active'>;

/** One row for each group; one row with a null group for a user without groups. */
type ProfileRow = { entry: ProfileEntry } & (CountedGroup | { [Column in keyof CountedGroup]: null });

const PROFILE = statement<ProfileRow>(
  `SELECT jsonb_build_object('id', u.id, 'user_name', u.user_name, 'display_name', u.display_name, 'email', u.email,
                             'source', u.source, 'active', u.active) AS entry,
          ${GROUP_COLUMNS}, CASE WHEN g.id IS NOT NULL THEN (${MEMBER_COUNT}) END AS transitive_member_count
   FROM users u LEFT JOIN groups g ON u.active AND g.id IN (${selectGroupsOfUser('u.id')})
   WHERE u.issuer = $1 AND u.subject = $2 ORDER BY g.created_at, g.id`,
);

/** Reads the caller's own directory entry. Written as SQL: a recursive read in one snapshot. */
@Injectable()
export class MeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Finds a user's entry and, for an active entry, the groups that contain the user. */
  async find(issuer: string, subject: string): Promise<{ entry: ProfileEntry; groups: CountedGroup[] } | undefined> {
    const rows = await PROFILE.rows(this.dataSource.manager, [issuer, subject]);
    const [first] = rows;
    return (
      first && { entry: first.entry, groups: rows.filter((row): row is ProfileRow & CountedGroup => row.id !== null) }
    );
  }
}
