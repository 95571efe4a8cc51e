import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { toGroup } from '../groups/groups.dto.ts';
import type { OwnProfile } from './me.dto.ts';
import { MeRepository } from './me.repository.ts';

/** What the directory knows about a caller. */
@Injectable()
export class MeService {
  constructor(private readonly repository: MeRepository) {}

  /** The caller's profile. Somebody without an active entry gets one with no groups, so that they can see which issuer and subject were looked for. */
  async profile({ issuer, subject }: Caller): Promise<OwnProfile> {
    const found = await this.repository.find(issuer, subject);
    if (!found) return { issuer, subject, active: false, groups: [] };
    const { email, active, ...names } = found.entry;
    return { issuer, subject, active, groups: found.groups.map(toGroup), ...names, ...(email !== null && { email }) };
  }
}
