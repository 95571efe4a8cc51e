import { isUniqueViolation } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';
import { toComparisonKey, buildSearchKey } from '../../validation/names.ts';
import { type JitUser, readJitUser } from './jit-user.ts';
import type { UserRow } from './user.entity.ts';
import { UsersRepository } from './users.repository.ts';

/** The verified identity of a token, with the id of the request that presented it. */
export type TokenIdentity = Pick<Caller, 'issuer' | 'subject' | 'requestId'>;

/**
 * Binds or creates the directory entry of a user at the first request. Several replicas may receive
 * first requests of one user at the same time: one replica writes, all return the same entry.
 */
@Injectable()
export class JitProvisioning {
  private readonly write: AuditedWrite;

  constructor(
    private readonly users: UsersRepository,
    private readonly clock: Clock,
    private readonly log: Log,
    audit: AuditService,
    dataSource: DataSource,
  ) {
    this.write = createAuditedWrite({ dataSource, audit }, { kind: 'user' });
  }

  /**
   * Binds the issuer's entry with a binding key to the subject of a token.
   * @returns the entry of the subject; undefined without such an entry, and for an entry that is
   * bound to another subject
   */
  async bind(identity: TokenIdentity, bindingKey: string): Promise<UserRow | undefined> {
    if (await this.users.hasUnboundEntry(identity.issuer, bindingKey)) {
      try {
        await this.bindSubject(identity, bindingKey);
      } catch (error) {
        // Another replica bound this subject to another entry, by another value of the claim.
        if (!isUniqueViolation(error, 'users_person_unique')) throw error;
      }
    }
    // A concurrent request of the same user may have bound the entry.
    return this.users.findByIdentity(identity.issuer, identity.subject);
  }

  /**
   * Creates an active entry from the claims of a token.
   * @param bindingKey the key of the token's binding claim; an entry that already has it keeps it
   * @returns undefined for a removed user, and when the user name belongs to an entry that is
   * inactive or not bound yet: that entry may be the same user's, and a token must not replace it
   */
  async create(caller: Caller, bindingKey: string | null): Promise<UserRow | undefined> {
    // Only provisioning restores a removed user: tokens can outlive the entry.
    if (await this.users.isRemoved(caller.issuer, caller.subject, bindingKey)) return undefined;
    const { user_names, ...user } = readJitUser(caller);
    for (const user_name of user_names) {
      try {
        const id = await this.insert(caller, { ...user, user_name }, bindingKey);
        return await this.users.find(id);
      } catch (error) {
        if (isUniqueViolation(error, 'users_person_unique'))
          return this.users.findByIdentity(caller.issuer, caller.subject);
        if (isUniqueViolation(error, 'users_binding_unique')) return this.create(caller, null);
        if (!isUniqueViolation(error, 'users_user_name_unique')) throw error;
      }
      const holder = await this.users.findByUserName(caller.issuer, user_name);
      if (holder !== null && (!holder.active || holder.subject === null)) break;
    }
    this.log.warn(
      { issuer: caller.issuer, user_name: user_names[0] },
      'no directory entry was created for a new user: another entry has the user name; rename or remove that entry, or provision this user',
    );
    return undefined;
  }

  private bindSubject(identity: TokenIdentity, bindingKey: string): Promise<void> {
    return this.write(identity, 'Bind user at first sign-in', async (manager, recordChange) => {
      const id = await this.users.bindSubject(manager, identity, bindingKey, this.clock.now().toISOString());
      if (id === undefined) return;
      await recordChange(id, ['subject']);
    });
  }

  private insert(
    caller: Caller,
    { user_name, email, display_name }: Omit<JitUser, 'user_names'> & { user_name: string },
    binding_key: string | null,
  ): Promise<string> {
    return this.write(caller, 'Create user at first sign-in', async (manager, recordChange) => {
      const id = uuidv7();
      const now = this.clock.now().toISOString();
      await this.users.insert(manager, {
        id,
        issuer: caller.issuer,
        subject: caller.subject,
        binding_key,
        user_name,
        user_name_key: toComparisonKey(user_name),
        email,
        email_key: email === null ? null : toComparisonKey(email),
        display_name,
        search_key: buildSearchKey(display_name, user_name, email),
        source: 'sign_in',
        active: true,
        created_at: now,
        updated_at: now,
      });
      await recordChange(id, ['user_name', 'display_name', ...(email === null ? [] : ['email'])]);
      return id;
    });
  }
}
