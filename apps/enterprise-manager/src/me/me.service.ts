import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { GroupsService } from '../groups/groups.service.ts';
import { UsersRepository } from '../users/users.repository.ts';
import type { OwnProfile } from './me.dto.ts';

/** What the directory knows about a caller. */
@Injectable()
export class MeService {
  constructor(
    private readonly users: UsersRepository,
    private readonly groups: GroupsService,
  ) {}

  /** The caller's profile. Somebody without an active entry gets one with no groups, so that they can see which issuer and subject were looked for. */
  async profile({ issuer, subject }: Caller): Promise<OwnProfile> {
    const user = await this.users.findByPerson(issuer, subject);
    if (!user) return { issuer, subject, active: false, groups: [] };
    return {
      issuer,
      subject,
      active: user.active,
      groups: user.active ? await this.groups.allOfUser(user.id) : [],
      id: user.id,
      user_name: user.user_name,
      display_name: user.display_name,
      ...(user.email !== null && { email: user.email }),
      source: user.source,
    };
  }
}
