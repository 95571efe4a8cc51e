import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { Injectable } from '@nestjs/common';
import type { ResourceType } from '../protocol/types.ts';

/** A write whose body had ignored members. */
interface WriteWithIgnoredMembers {
  /** Id of the issuer of the client. */
  issuerId: string;
  resourceType: ResourceType;
  method: 'POST' | 'PUT' | 'PATCH';
  id: string;
}

/**
 * Reports the members of SCIM bodies that are in no schema. The protocol ignores them; the report
 * shows administrators which data of an identity provider is not stored.
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
      'Ignored members of SCIM bodies, which are in no schema',
      '{member}',
    );
  }

  /** Logs the names, not the values, and counts them. */
  report({ issuerId, resourceType, method, id }: WriteWithIgnoredMembers, names: readonly string[]): void {
    if (names.length === 0) return;
    this.counted.add(names.length, { issuer_id: issuerId, resource_type: resourceType, method });
    this.log.warn(
      { issuer_id: issuerId, resource_type: resourceType, method, id, ignored_members: names },
      'members of a SCIM body were ignored: no schema has them; map them to other attributes or stop sending them',
    );
  }
}
