import { inTransaction, isUniqueViolation } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.ts';
import { comparisonKey, searchKey } from '../../validation/names.ts';
import { newcomerOf } from './newcomer.ts';
import type { UserRow } from './user.entity.ts';
import { UsersRepository } from './users.repository.ts';

/** Somebody with a verified token, and the request it came with. */
export type SignIn = Pick<Caller, 'issuer' | 'subject' | 'requestId'>;

/**
 * What the first sign-in of a person changes. Any number of replicas may see the same first sign-in
 * at once: one of them does it, all get the same entry.
 */
@Injectable()
export class FirstSignIns {
  constructor(
    private readonly users: UsersRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Gives the issuer's entry with a binding key to this subject, if it has none yet.
   * @returns the entry; undefined where there is no such entry, or where it is somebody else's
   * already
   */
  async bind(person: SignIn, key: string): Promise<UserRow | undefined> {
    if (await this.users.awaitsSubject(person.issuer, key)) {
      try {
        await this.giveSubject(person, key);
      } catch (error) {
        // The same person came to another replica at this moment, with another value of the claim.
        if (!isUniqueViolation(error, 'users_person_unique')) throw error;
      }
    }
    // Whoever did it: another request of the same person may have been the first since the entry
    // was looked for.
    return this.users.findByPerson(person.issuer, person.subject);
  }

  /**
   * Makes an active entry from the claims of the token.
   * @param key what binds later tokens of a provisioned entry; it stays with whoever has it already
   * @returns undefined for somebody who was removed, and where the user name belongs to an entry
   * that may well be theirs, but is switched off or awaits another token: nobody comes back that
   * way
   */
  async make(caller: Caller, key: string | null): Promise<UserRow | undefined> {
    // Whoever was removed comes back by provisioning, not by a token that outlived the entry.
    if (await this.users.hasDeparted(caller.issuer, caller.subject, key)) return undefined;
    const { user_names, ...newcomer } = newcomerOf(caller);
    for (const user_name of user_names) {
      try {
        const id = await this.insert(caller, { ...newcomer, user_name }, key);
        return await this.users.find(id);
      } catch (error) {
        if (isUniqueViolation(error, 'users_person_unique'))
          return this.users.findByPerson(caller.issuer, caller.subject);
        if (isUniqueViolation(error, 'users_binding_unique')) return this.make(caller, null);
        if (!isUniqueViolation(error, 'users_user_name_unique')) throw error;
      }
      const holder = await this.users.findByUserName(caller.issuer, user_name);
      if (holder !== undefined && (!holder.active || holder.subject === null)) break;
    }
    this.log.warn(
      { issuer: caller.issuer, user_name: user_names[0] },
      'somebody signed in for the first time, but the user name belongs to another entry; an administrator has to decide whose it is',
    );
    return undefined;
  }

  private giveSubject(person: SignIn, key: string): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      const id = await this.users.bindSubject(manager, person, key, this.clock.now().toISOString());
      if (id === undefined) return;
      await this.audit.record(manager, person, {
        operation: 'Bind user at first sign-in',
        object_kind: 'user',
        object_id: id,
        changed_fields: ['subject'],
      });
    });
  }

  private insert(
    caller: Caller,
    { user_name, email, display_name }: { user_name: string; email: string | null; display_name: string },
    binding_key: string | null,
  ): Promise<string> {
    return inTransaction(this.dataSource, async (manager) => {
      const id = uuidv7();
      await this.users.insertAtSignIn(manager, {
        id,
        issuer: caller.issuer,
        subject: caller.subject,
        binding_key,
        user_name,
        user_name_key: comparisonKey(user_name),
        email,
        email_key: email === null ? null : comparisonKey(email),
        display_name,
        search_key: searchKey(display_name, user_name, email),
        created_at: this.clock.now().toISOString(),
      });
      await this.audit.record(manager, caller, {
        operation: 'Create user at first sign-in',
        object_kind: 'user',
        object_id: id,
        changed_fields: ['user_name', 'display_name', ...(email === null ? [] : ['email'])],
      });
      return id;
    });
  }
}
