import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Refusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { keysetPage } from '../database/keyset.ts';
import { toUser, type User, type UserListQuery, type UserPage } from './users.dto.ts';
import { UsersRepository } from './users.repository.ts';

/** Reads of the people of the directory. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly cursors: CursorCodec,
  ) {}

  /** A page of people in the order in which they came. */
  async list(caller: Caller, { cursor, before, limit, ...filter }: UserListQuery): Promise<UserPage> {
    const { rows, ...cursors } = await keysetPage(
      this.cursors,
      {
        binding: { list: 'users', filters: filter, caller },
        read: (step) => this.users.list(filter, step),
        keyOf: (row) => [row.created_at, row.id],
      },
      { cursor, before, limit },
    );
    return { items: rows.map(toUser), ...cursors };
  }

  /** @throws Refusal not_found */
  async get(id: string): Promise<User> {
    const row = await this.users.find(id);
    if (!row) throw new Refusal('not_found', 'there is no such user');
    return toUser(row);
  }
}
