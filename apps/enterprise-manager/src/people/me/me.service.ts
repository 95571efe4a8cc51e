import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { toGroup } from '../groups/groups.dto.ts';
import { DIRECTORY_ROLES, type OwnProfile } from './me.dto.ts';
import { DirectoryEntries } from '../users/directory-entries.service.ts';
import { MeRepository } from './me.repository.ts';

/** Reads the profile of a caller. */
@Injectable()
export class MeService {
  constructor(
    private readonly repository: MeRepository,
    private readonly entries: DirectoryEntries,
  ) {}

  /**
   * Returns the profile of a caller. Without an active entry it has no groups, but it shows the
   * issuer and subject of the token.
   */
  async getProfile(caller: Caller): Promise<OwnProfile> {
    const { issuer, subject } = caller;
    // One statement reads entry and groups. Without an entry, this may be the first request.
    const known = await this.repository.find(issuer, subject);
    const found = known ?? ((await this.entries.findByCaller(caller)) && (await this.repository.find(issuer, subject)));
    const roles = DIRECTORY_ROLES.filter((role) => caller.roles.has(role));
    if (!found) return { issuer, subject, roles, active: false, groups: [] };
    const { email, active, ...names } = found.entry;
    return {
      issuer,
      subject,
      roles: active ? roles : ['user' as const],
      active,
      groups: found.groups.map(toGroup),
      ...names,
      ...(email !== null && { email }),
    };
  }
}
