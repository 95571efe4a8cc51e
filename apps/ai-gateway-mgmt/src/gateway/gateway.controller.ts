import { Controller, Get, Inject } from '@nestjs/common';
import { Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { SETTINGS, type Settings } from '../config/config.ts';
import { GatewayIdentity } from './gateway.dto.ts';

/** The identity of the owning gateway. */
@Controller('v1/info')
export class GatewayController {
  readonly #settings: Settings;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.#settings = settings;
  }

  @Get()
  @Requires('any')
  @Operation({
    summary: "Return the owning gateway's identity",
    success: { status: 200, schema: GatewayIdentity },
    errors: [401, 429, 503],
  })
  identity(): GatewayIdentity {
    return { name: this.#settings.GATEWAY_NAME, namespace: this.#settings.NAMESPACE };
  }
}
