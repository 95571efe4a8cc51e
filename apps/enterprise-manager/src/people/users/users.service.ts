import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { listByCreation } from '../../database/creation-order.ts';
import { parseOwnerRef } from '@gatehouse/auth/owner-ref';
import { toUser, type User, type UserListQuery, type UserPage } from './users.dto.ts';
import { UsersRepository } from './users.repository.ts';

/** Reads users of the directory. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly cursors: CursorCodec,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Lists users in the order of their creation. */
  list(caller: Caller, { cursor, before, limit, ...filter }: UserListQuery): Promise<UserPage> {
    const { ISSUERS } = this.settings;
    const { subject_id, ...rest } = filter;
    const person = subject_id === undefined ? undefined : parseOwnerRef(ISSUERS, subject_id);
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'users', filters: filter, caller },
        read: (step) => this.users.list({ ...rest, person }, step),
        toItem: (row) => toUser(ISSUERS, row),
      },
      { cursor, before, limit },
    );
  }

  /** Returns a user. @throws HttpError not_found */
  async get(id: string): Promise<User> {
    const row = await this.users.find(id);
    if (row === undefined) throw new HttpError('not_found', 'there is no such user');
    return toUser(this.settings.ISSUERS, row);
  }
}
