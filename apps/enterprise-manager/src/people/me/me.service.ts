import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { toGroup } from '../groups/groups.dto.ts';
import type { OwnProfile } from './me.dto.ts';
import { People } from '../users/people.service.ts';
import { MeRepository } from './me.repository.ts';

/** What the directory knows about a caller. */
@Injectable()
export class MeService {
  constructor(
    private readonly repository: MeRepository,
    private readonly people: People,
  ) {}

  /**
   * The caller's profile. Somebody without an active entry gets one with no groups, so that they
   * can see which issuer and subject were looked for.
   */
  async profile(caller: Caller): Promise<OwnProfile> {
    const { issuer, subject } = caller;
    // The entry and its groups are one read; only where there is none may this be a first sign-in.
    const known = await this.repository.find(issuer, subject);
    const found = known ?? ((await this.people.entryOf(caller)) && (await this.repository.find(issuer, subject)));
    const roles = [...caller.roles].sort();
    if (!found) return { issuer, subject, roles, active: false, groups: [] };
    const { email, active, ...names } = found.entry;
    return {
      ...{ issuer, subject, roles: active ? roles : ['user' as const], active },
      groups: found.groups.map(toGroup),
      ...names,
      ...(email !== null && { email }),
    };
  }
}
