import type { Caller } from '@gatehouse/service-kit/access';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import type { FiguresOf } from './tool-call.dto.ts';
import { DirectoryEntries } from '../../people/users/directory-entries.service.ts';

/** A user id without calls, for callers without a directory entry. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

const OTHER_USER =
  'only administrators and auditors can read the usage of other users; use your own id as user_id, or omit it';

/** Decides which calls a caller may read: administrators and auditors all, others their own. */
@Injectable()
export class CallVisibility {
  constructor(private readonly entries: DirectoryEntries) {}

  /**
   * Returns the user whose calls the caller may read; undefined for all users.
   * @param requested the user in the request
   * @throws HttpError forbidden for any other id than the caller's own, known or not
   */
  async resolveUser(caller: Caller, requested?: string): Promise<string | undefined> {
    if (caller.roles.has('admin') || caller.roles.has('auditor')) return requested;
    const own = await this.getOwnId(caller);
    if (requested !== undefined && requested !== own) throw new HttpError('forbidden', OTHER_USER);
    return own;
  }

  /** Returns the caller's own user id. */
  async getOwnId(caller: Caller): Promise<string> {
    return (await this.entries.findByCaller(caller))?.id ?? NO_USER;
  }
}

/** Describes the users whose calls a response counts. @param userId undefined for all users */
export const toFiguresOf = (userId: string | undefined): FiguresOf =>
  userId === undefined ? { scope: 'all_users' } : { scope: 'user', ...(userId !== NO_USER && { user_id: userId }) };

/** Checks that a range begins before it ends. @throws HttpError invalid */
export function requireOrder({ start, end }: { start?: string | undefined; end?: string | undefined }): void {
  if (start !== undefined && end !== undefined && start >= end)
    throw fieldError('invalid', 'start', 'must be before end');
}
