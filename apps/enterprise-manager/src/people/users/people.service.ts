import { bindingKey, bindingValueOf } from '@gatehouse/auth/binding-claim';
import { isGatewayAlone } from '@gatehouse/auth/roles';
import type { Caller } from '@gatehouse/service-kit/access';
import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { FirstSignIns, type SignIn } from './first-sign-ins.ts';
import type { UserRow } from './user.entity.ts';
import { UsersRepository } from './users.repository.ts';

/** A person as somebody who has verified their token speaks of them. */
export interface TokenPerson extends SignIn {
  /** Value of the issuer's binding claim in that token. */
  binding?: string | undefined;
}

/**
 * Who the caller of a request is in the directory. An entry is found by (issuer, subject). Where
 * there is none yet, the token's binding claim may name a provisioned entry that nobody has signed
 * in to: it becomes this subject's, once and for good. An address that was given to somebody else
 * later finds an entry with another subject, and so does not open it.
 */
@Injectable()
export class People {
  private readonly issuers: ReadonlyMap<string, IssuerSettings>;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly users: UsersRepository,
    private readonly firstSignIns: FirstSignIns,
  ) {
    this.issuers = new Map(settings.ISSUERS.map((one) => [one.issuer, one]));
  }

  /**
   * The caller's directory entry, active or not; undefined for somebody whom the directory does not
   * know.
   */
  async entryOf(caller: Caller): Promise<UserRow | undefined> {
    const known = await this.users.findByPerson(caller.issuer, caller.subject);
    // A data plane signs in as nobody: only what people bring themselves binds or makes an entry.
    if (known !== undefined || isGatewayAlone(caller.roles)) return known;
    const claim = this.issuers.get(caller.issuer)?.binding.claim;
    const binding = claim === undefined ? undefined : bindingValueOf(caller.claims, claim);
    return (await this.bind({ ...caller, binding })) ?? (await this.makeAtFirstSignIn(caller, binding));
  }

  /** The entry of a person whose token a gateway has verified; never a new one. */
  async entryOfPerson(person: TokenPerson): Promise<UserRow | undefined> {
    return (await this.users.findByPerson(person.issuer, person.subject)) ?? (await this.bind(person));
  }

  /** The caller's active entry. @throws HttpError forbidden without one */
  async requireActive(caller: Caller): Promise<UserRow> {
    const entry = await this.entryOf(caller);
    if (!entry?.active) throw new HttpError('forbidden', 'no active directory entry');
    return entry;
  }

  private async bind({ binding, ...person }: TokenPerson): Promise<UserRow | undefined> {
    const claim = this.issuers.get(person.issuer)?.binding.claim;
    // Where the claim is the subject itself, an entry has its subject from the start.
    if (claim === undefined || claim === 'sub' || binding === undefined) return undefined;
    const key = bindingKey(claim, binding);
    return key === undefined ? undefined : this.firstSignIns.bind(person, key);
  }

  private async makeAtFirstSignIn(caller: Caller, binding: string | undefined): Promise<UserRow | undefined> {
    const issuer = this.issuers.get(caller.issuer);
    if (issuer?.just_in_time !== true) return undefined;
    const key = binding === undefined ? undefined : bindingKey(issuer.binding.claim, binding);
    return this.firstSignIns.make(caller, key ?? null);
  }
}
