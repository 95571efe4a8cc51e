import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { InactiveUserCheck } from '../deactivation/inactive-user-check.ts';
import { toUser, type User } from './users.dto.ts';
import { UsersRepository } from './users.repository.ts';

/**
 * Deactivates and activates users whose entry is not provisioned by SCIM. The virtual API keys of a
 * user follow the entry in the same transaction. A request that changes nothing succeeds without an
 * audit event.
 */
@Injectable()
export class UserActivation {
  private readonly write: AuditedWrite;

  constructor(
    private readonly users: UsersRepository,
    private readonly inactiveUsers: InactiveUserCheck,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
    audit: AuditService,
    dataSource: DataSource,
  ) {
    this.write = createAuditedWrite({ dataSource, audit }, { kind: 'user' });
  }

  /**
   * Sets `active` of a user.
   * @throws HttpError not_found; forbidden for a caller that was deactivated meanwhile; conflict
   * for a user provisioned by SCIM, and for the deactivation of the caller's own entry
   */
  async set(caller: Caller, id: string, active: boolean): Promise<User> {
    return this.write(caller, active ? 'Activate user' : 'Deactivate user', async (manager, recordChange) => {
      const found = await this.users.lock(manager, id);
      // Checked after the lock: a caller that was just deactivated must not activate its own entry.
      await this.inactiveUsers.requireActive(manager, caller);
      if (found === undefined) throw new HttpError('not_found', 'there is no such user');
      if (found.source === 'scim')
        throw new HttpError('conflict', 'the user is provisioned by SCIM: set `active` in the provisioning directory');
      if (!active && found.issuer === caller.issuer && found.subject === caller.subject)
        throw new HttpError('conflict', 'you cannot deactivate your own entry: ask another administrator');
      if (found.active !== active) {
        await this.users.setActive(manager, id, active, this.clock.now().toISOString());
        await recordChange(id, ['active']);
      }
      const row = await this.users.lock(manager, id);
      if (row === undefined)
        throw new Error('the directory entry was deleted while this transaction had its row locked');
      return toUser(this.settings.ISSUERS, row);
    });
  }
}
