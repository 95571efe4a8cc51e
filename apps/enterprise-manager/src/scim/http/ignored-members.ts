import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { Injectable } from '@nestjs/common';
import type { ResourceType } from '../protocol/types.ts';

/** A write that ignored members of its body. */
interface IgnoringWrite {
  /** Id of the issuer whose client wrote. */
  issuerId: string;
  resourceType: ResourceType;
  method: 'POST' | 'PUT' | 'PATCH';
  id: string;
}

/**
 * Reports the members of SCIM bodies that no schema has. The protocol ignores them, so without the
 * report an administrator cannot see that an identity provider sends data that is not kept.
 */
@Injectable()
export class IgnoredMembers {
  private readonly counted: ReturnType<Metrics['counter']>;

  constructor(
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.counted = metrics.counter<{ issuer_id: string; resource_type: ResourceType; method: string }>(
      'gatehouse.scim.ignored_members',
      'Members of SCIM bodies that no schema has and that were ignored',
      '{member}',
    );
  }

  /** Logs the names, never the values, and counts them. Nothing happens without names. */
  report({ issuerId, resourceType, method, id }: IgnoringWrite, names: readonly string[]): void {
    if (names.length === 0) return;
    this.counted.add(names.length, { issuer_id: issuerId, resource_type: resourceType, method });
    this.log.warn(
      { issuer_id: issuerId, resource_type: resourceType, method, id, ignored_members: names },
      'members of a SCIM body were ignored: no schema has them; map them to other attributes or stop sending them',
    );
  }
}
