import { AdmitsInactive, type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, computeETag, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { OwnProfile } from './me.dto.ts';
import { MeService } from './me.service.ts';

/** The caller's own profile. */
@Controller('v1/me')
export class MeController {
  constructor(private readonly me: MeService) {}

  @Get()
  @Requires('user')
  @AdmitsInactive()
  @Operation({
    summary: "Get the caller's own directory profile",
    description:
      'A caller without a directory entry gets 200 as well, with the issuer and subject of the token and no groups.',
    success: { status: 200, schema: OwnProfile, headers: ['ETag'] },
    errors: [],
    ifNoneMatch: true,
  })
  async profile(@CurrentCaller() caller: Caller): Promise<Answer<OwnProfile>> {
    const profile = await this.me.getProfile(caller);
    return withETag(profile, computeETag(profile));
  }
}
