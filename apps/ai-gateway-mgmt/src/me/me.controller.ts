import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { CallerIntrospection } from './me.dto.ts';
import { MeService } from './me.service.ts';

/** The caller of this service. */
@Controller('v1/me')
export class MeController {
  constructor(private readonly me: MeService) {}

  @Get()
  @Requires('authenticated')
  @Operation({
    summary: "Return the caller's identity and resolved policy bindings",
    description: 'Shows only policies that match the caller. `*` in a policy grants all models of the routes.',
    success: { status: 200, schema: CallerIntrospection },
    errors: [403, 429, 503],
  })
  describe(@CurrentCaller() caller: Caller): CallerIntrospection {
    return this.me.describe(caller);
  }
}
