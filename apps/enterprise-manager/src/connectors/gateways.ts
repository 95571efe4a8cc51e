import { Refusal } from '@gatehouse/service-kit/refusal';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config.ts';

/** The gateways of this deployment, of connectors and of models; they are configuration. */
@Injectable()
export class Gateways {
  private readonly ids: ReadonlySet<string>;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.ids = new Set(settings.GATEWAYS.map(({ id }) => id));
  }

  /** @throws Refusal not_found for an id that no gateway has */
  require(id: string): void {
    if (!this.ids.has(id)) throw new Refusal('not_found', 'there is no such gateway');
  }

  /** Whether a gateway has this id. */
  has(id: string): boolean {
    return this.ids.has(id);
  }
}
