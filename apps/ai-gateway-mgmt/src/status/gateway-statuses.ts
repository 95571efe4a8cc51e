import { computeGatewayStatus } from '@gatehouse/ai-policies/gateway-status';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Resources } from '../resources/resources.ts';
import { writeStatus } from './status-writer.ts';

/** Computes and writes the status of the gateways of the namespace. */
@Injectable()
export class GatewayStatuses {
  constructor(
    private readonly resources: Resources,
    private readonly clock: Clock,
  ) {}

  /** The status that a gateway should have; undefined if it has it. */
  findDifference(gateway: AIGateway): AIGateway['status'] {
    const status = computeGatewayStatus(gateway, this.clock.now());
    return isDeepStrictEqual(status, gateway.status) ? undefined : status;
  }

  /**
   * Writes a status for one version of a gateway.
   * @throws ResourceStoreError `conflict` when the gateway has another version, `not_found`
   */
  async write(gateway: AIGateway, status: AIGateway['status'], signal?: AbortSignal): Promise<void> {
    await writeStatus(this.resources.gateways, gateway, status, signal);
  }
}
