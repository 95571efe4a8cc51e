import { deriveBindingKey, getBindingValue } from '@gatehouse/auth/binding-claim';
import { isGatewayOnly } from '@gatehouse/auth/roles';
import type { Caller } from '@gatehouse/service-kit/access';
import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { JitProvisioning, type TokenIdentity } from './jit-provisioning.ts';
import type { UserRow } from './user.entity.ts';
import { UsersRepository } from './users.repository.ts';

/** The identity of a token that a gateway has verified. */
export interface GatewayVerifiedUser extends TokenIdentity {
  /** Value of the issuer's binding claim in the token. */
  binding?: string | undefined;
}

/**
 * Finds the directory entry of a caller by (issuer, subject). Without such an entry, the token's
 * binding claim may identify a provisioned entry that has no subject yet: the entry is bound to the
 * subject permanently. A binding value that is given to another user later does not find the entry,
 * because the entry then has a subject.
 */
@Injectable()
export class DirectoryEntries {
  private readonly issuers: ReadonlyMap<string, IssuerSettings>;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly users: UsersRepository,
    private readonly jit: JitProvisioning,
  ) {
    this.issuers = new Map(settings.ISSUERS.map((one) => [one.issuer, one]));
  }

  /**
   * Finds the entry of a caller, active or not. Binds or creates it at the first request.
   * @returns undefined for a caller without an entry
   */
  async findByCaller(caller: Caller): Promise<UserRow | undefined> {
    const found = await this.users.findByIdentity(caller.issuer, caller.subject);
    // A gateway's own token never binds or creates an entry; only a user's token does.
    if (found !== undefined || isGatewayOnly(caller.roles)) return found;
    const claim = this.issuers.get(caller.issuer)?.binding.claim;
    const binding = claim === undefined ? undefined : getBindingValue(caller.claims, claim);
    return (await this.bind({ ...caller, binding })) ?? (await this.createJustInTime(caller, binding));
  }

  /** Finds or binds the entry of a user whose token a gateway has verified. Never creates one. */
  async findByVerifiedUser(user: GatewayVerifiedUser): Promise<UserRow | undefined> {
    return (await this.users.findByIdentity(user.issuer, user.subject)) ?? (await this.bind(user));
  }

  /** Returns the active entry of a caller. @throws HttpError forbidden without one */
  async requireActive(caller: Caller): Promise<UserRow> {
    const entry = await this.findByCaller(caller);
    if (!entry?.active) throw new HttpError('forbidden', 'no active directory entry');
    return entry;
  }

  private async bind({ binding, ...identity }: GatewayVerifiedUser): Promise<UserRow | undefined> {
    const claim = this.issuers.get(identity.issuer)?.binding.claim;
    // With the claim `sub`, an entry has its subject from the start.
    if (claim === undefined || claim === 'sub' || binding === undefined) return undefined;
    const key = deriveBindingKey(claim, binding);
    return key === undefined ? undefined : this.jit.bind(identity, key);
  }

  private async createJustInTime(caller: Caller, binding: string | undefined): Promise<UserRow | undefined> {
    const issuer = this.issuers.get(caller.issuer);
    if (issuer?.just_in_time !== true) return undefined;
    const key = binding === undefined ? undefined : deriveBindingKey(issuer.binding.claim, binding);
    return this.jit.create(caller, key ?? null);
  }
}
