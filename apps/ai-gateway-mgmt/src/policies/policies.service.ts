import { parseLabelSelector } from '@gatehouse/ai-resources/label-selector';
import { isResourceName } from '@gatehouse/ai-resources/metadata-schema';
import { API_VERSION, type AIPolicy, type NewResource } from '@gatehouse/ai-resources/resource';
import { ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { retry } from '@gatehouse/retry/retry';
import type { Caller } from '@gatehouse/service-kit/access';
import { matchNames, namesEveryState, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.ts';
import { KnownResources } from '../resources/known-resources.ts';
import { Resources } from '../resources/resources.ts';
import { PolicyStatuses } from '../status/policy-statuses.ts';
import { readNewPolicy } from './new-policy.ts';
import { cutLargePage } from './page-size.ts';
import { PageTokens } from './page-tokens.ts';
import type { PolicyListQuery } from './policies.dto.ts';
import { readPolicyPatch } from './policy-patch.ts';

/** How often a write with `If-Match: *` is repeated after the write of another editor. */
const MAX_RETRIES = 5;

/** One page of policies, as the API returns it. */
export interface PolicyListAnswer {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'AIPolicyList';
  readonly items: readonly AIPolicy[];
  readonly nextPageToken?: string;
  readonly remainingItemCount?: number;
}

/** The ETag of a policy: its quoted `metadata.resourceVersion`. */
export const formatETag = ({ metadata }: AIPolicy): string => `"${metadata.resourceVersion}"`;

/** Reads policies from the cache and writes them to the store. */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly resources: Resources,
    private readonly known: KnownResources,
    private readonly statuses: PolicyStatuses,
    private readonly pageTokens: PageTokens,
    private readonly audit: AuditLog,
  ) {}

  /** Returns one page. @throws HttpError invalid for a malformed selector or page token */
  list(caller: Caller, { limit, pageToken, labelSelector, gatewayRef }: PolicyListQuery): PolicyListAnswer {
    const filters = { labelSelector, gatewayRef };
    this.known.requireKnownPolicies();
    const after = pageToken === undefined ? undefined : this.pageTokens.open(pageToken, filters, caller);
    const matchesLabels = labelSelector === undefined ? undefined : parseLabelSelector(labelSelector);
    const matches = matchesLabels && (({ metadata }: AIPolicy) => matchesLabels(metadata.labels ?? {}));
    const page = this.resources.policies.cache.list({ after, limit, matches });
    const { items, hasMore, remainingItemCount } = cutLargePage(page);
    const last = hasMore ? items.at(-1) : undefined;
    return {
      apiVersion: API_VERSION,
      kind: 'AIPolicyList',
      // A page is cut before the gateway filters it.
      items: items.filter(({ spec }) => gatewayRef === undefined || spec.gatewayRef.name === gatewayRef),
      ...(last && { nextPageToken: this.pageTokens.seal(last.metadata.name, filters, caller) }),
      ...(hasMore && remainingItemCount !== undefined && { remainingItemCount }),
    };
  }

  /** @throws HttpError not_found */
  get(name: string): AIPolicy {
    this.known.requireKnownPolicies();
    return this.resources.policies.cache.get(name) ?? throwNotFound(name);
  }

  /** Stores a new policy with its status. */
  async create(caller: Caller, body: unknown): Promise<AIPolicy> {
    const written = readNewPolicy(body);
    const { store, cache } = this.resources.policies;
    const policy = await store.create(written);
    cache.put(policy);
    this.audit.recordWrite(caller, {
      verb: 'create',
      name: policy.metadata.name,
      changed: listWrittenFields(written),
      status: 201,
    });
    return this.statuses.complete(policy);
  }

  /** Applies a merge patch to `spec`, and writes the status of the result. */
  async patch(caller: Caller, name: string, body: unknown, ifMatch: string | undefined): Promise<AIPolicy> {
    const { store, cache } = this.resources.policies;
    return repeatOnConflict(ifMatch, async () => {
      const current = await this.findForWrite(name, ifMatch);
      const { spec, changed } = readPolicyPatch(body, current);
      const { resourceVersion } = current.metadata;
      const policy = await store.patch(name, { spec }, { resourceVersion });
      cache.put(policy);
      this.audit.recordWrite(caller, { verb: 'patch', name, changed, status: 200 });
      return this.statuses.complete(policy);
    });
  }

  /** Deletes a policy. */
  async delete(caller: Caller, name: string, ifMatch: string | undefined): Promise<void> {
    const { store, cache } = this.resources.policies;
    await repeatOnConflict(ifMatch, async () => {
      const current = await this.findForWrite(name, ifMatch);
      await store.delete(name, { resourceVersion: current.metadata.resourceVersion });
      cache.remove(current.metadata);
    });
    this.audit.recordWrite(caller, { verb: 'delete', name, changed: [], status: 204 });
  }

  /**
   * Finds the policy that a write changes, and compares its ETag. When the cached version does not
   * fit, the store decides: another replica may have written a moment ago.
   * @throws HttpError not_found, precondition_required, precondition_failed
   */
  private async findForWrite(name: string, ifMatch: string | undefined): Promise<AIPolicy> {
    this.known.requireKnownPolicies();
    const { store, cache } = this.resources.policies;
    const cached = cache.get(name);
    if (cached !== undefined && (ifMatch === undefined || matchNames(ifMatch, formatETag(cached)))) {
      requireMatch(ifMatch, formatETag(cached), 'required');
      return cached;
    }
    const current = (isResourceName(name) ? await store.get(name) : undefined) ?? throwNotFound(name);
    requireMatch(ifMatch, formatETag(current), 'required');
    return current;
  }
}

/** JSON pointers of the members that the creator of a policy has chosen. */
function listWrittenFields({ metadata, spec }: NewResource): string[] {
  const { name: _, ...others } = metadata;
  const fields = Object.keys(spec as object).map((field) => `/spec/${field}`);
  return [...Object.keys(others).map((field) => `/metadata/${field}`), ...fields];
}

/** Repeats a write of every state (`If-Match: *`) when another write was faster. */
const repeatOnConflict = <T>(ifMatch: string | undefined, write: () => Promise<T>): Promise<T> =>
  retry(write, {
    maxRetries: namesEveryState(ifMatch) ? MAX_RETRIES : 0,
    shouldRetry: (error) => error instanceof ResourceStoreError && error.code === 'conflict',
  });

/** @throws HttpError not_found */
const throwNotFound = (name: string): never => {
  throw new HttpError('not_found', `there is no AIPolicy with the name ${name}`);
};
