import type { Caller } from '@gatehouse/service-kit/access';
import { fieldRefusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { People } from '../users/people.service.ts';

/** Nobody's id: the calls of a caller who has no entry in the directory. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Whose calls a caller sees: administrators and auditors everybody's, everybody else only their own. */
@Injectable()
export class WhoseCalls {
  constructor(private readonly people: People) {}

  /**
   * The person to whom an answer is bounded, undefined for everybody.
   * @param asked the person that the request is about; another one than the caller is as good as unknown
   */
  async of(caller: Caller, asked?: string): Promise<string | undefined> {
    if (caller.roles.has('admin') || caller.roles.has('auditor')) return asked;
    const own = await this.ownId(caller);
    return asked === undefined || asked === own ? own : NOBODY;
  }

  /** The caller's own id. */
  async ownId(caller: Caller): Promise<string> {
    return (await this.people.entryOf(caller))?.id ?? NOBODY;
  }
}

/** @throws Refusal invalid when a range ends before it begins */
export function requireOrder({ start, end }: { start?: string | undefined; end?: string | undefined }): void {
  if (start !== undefined && end !== undefined && start >= end)
    throw fieldRefusal('invalid', 'start', 'must be before end');
}
