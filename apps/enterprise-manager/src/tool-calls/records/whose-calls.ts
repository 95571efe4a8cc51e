import type { Caller } from '@gatehouse/service-kit/access';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import type { FiguresOf } from './metering.dto.ts';
import { DirectoryEntries } from '../../people/users/directory-entries.service.ts';

/** Nobody's id: the calls of a caller who has no entry in the directory. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

const OTHERS =
  'the usage of other users is for administrators and auditors; ask for your own, by your own id or without one';

/**
 * Whose calls a caller sees: administrators and auditors everybody's, everybody else only their
 * own.
 */
@Injectable()
export class WhoseCalls {
  constructor(private readonly entries: DirectoryEntries) {}

  /**
   * The user to whom an answer is bounded, undefined for all users.
   * @param asked the user that the request is about
   * @throws HttpError forbidden for another user than the caller, whether there is one with this id
   * or not
   */
  async of(caller: Caller, asked?: string): Promise<string | undefined> {
    if (caller.roles.has('admin') || caller.roles.has('auditor')) return asked;
    const own = await this.ownId(caller);
    if (asked !== undefined && asked !== own) throw new HttpError('forbidden', OTHERS);
    return own;
  }

  /** The caller's own id. */
  async ownId(caller: Caller): Promise<string> {
    return (await this.entries.findByCaller(caller))?.id ?? NOBODY;
  }
}

/** Says whose calls the figures of an answer count. @param userId undefined for all users */
export const figuresOf = (userId: string | undefined): FiguresOf =>
  userId === undefined ? { scope: 'all_users' } : { scope: 'user', ...(userId !== NOBODY && { user_id: userId }) };

/** @throws HttpError invalid when a range ends before it begins */
export function requireOrder({ start, end }: { start?: string | undefined; end?: string | undefined }): void {
  if (start !== undefined && end !== undefined && start >= end)
    throw fieldError('invalid', 'start', 'must be before end');
}
