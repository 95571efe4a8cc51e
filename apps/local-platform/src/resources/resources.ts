import type { ResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import type { AIGateway, NewResource, Resource } from '@gatehouse/ai-resources/resource';
import { type ResourceStore, ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { AUDIENCE } from '../platform-file.ts';
import type { CreatedPolicies } from './created-policies.ts';
import { readTemplates } from './templates.ts';

/** How often another writer may be ahead of the change of the issuer. */
const MAX_ATTEMPTS = 5;

/** The options of the resources. */
export interface ResourceOptions {
  /** Address of the platform's identity provider. */
  readonly issuer: string;
  /** Whether to create the resources of a demonstration. */
  readonly demo: boolean;
  /** The policies that earlier starts created. */
  readonly created: CreatedPolicies;
  /** Prints one line for the user. */
  readonly report: (line: string) => void;
}

/**
 * Creates the AIGateway `local` and its first policies where they are absent. A policy that an
 * earlier start created for the same AIGateway stays deleted. Of an existing AIGateway, only the
 * address of the identity provider follows the ports of the platform.
 * @returns the AIGateway
 * @throws ResourceStoreError
 */
export async function prepareResources(stores: ResourceStores, options: ResourceOptions): Promise<AIGateway> {
  const { issuer, demo, created, report } = options;
  const templates = readTemplates(issuer, demo);
  const found = await findOrCreate(stores.gateways, templates.gateway, report);
  const gateway = await followIssuer(stores.gateways, found, options);
  reportForeignTokens(gateway, issuer, report);
  const { uid } = gateway.metadata;
  const known = created.list(uid);
  const missing = templates.policies.filter(({ metadata }) => !known.includes(metadata.name));
  for (const policy of missing) await findOrCreate(stores.policies, policy, report);
  if (missing.length > 0) created.add(uid, ...missing.map(({ metadata }) => metadata.name));
  return gateway;
}

async function findOrCreate<T extends Resource>(
  store: ResourceStore<T>,
  resource: NewResource<T['spec']>,
  report: (line: string) => void,
): Promise<T> {
  const { name } = resource.metadata;
  const found = await store.get(name);
  if (found !== undefined) return found;
  try {
    const created = await store.create(resource);
    report(`${created.kind} ${name} created`);
    return created;
  } catch (error) {
    // Another program was faster.
    const other = isCode(error, 'already_exists') ? await store.get(name) : undefined;
    if (other === undefined) throw error;
    return other;
  }
}

/**
 * Replaces the issuer of the gateway when it is that of a platform at other ports: its audience is
 * the platform's and its host is this machine.
 */
async function followIssuer(
  store: ResourceStore<AIGateway>,
  found: AIGateway,
  { issuer, report }: Pick<ResourceOptions, 'issuer' | 'report'>,
): Promise<AIGateway> {
  const { name } = found.metadata;
  let gateway = found;
  for (let attempt = 1; ; attempt += 1) {
    const { oidc } = gateway.spec.auth;
    if (oidc.issuer === issuer || !isLocal(oidc)) return gateway;
    const patch = { spec: { auth: { oidc: { issuer, jwksUri: `${issuer}/jwks` } } } };
    try {
      const changed = await store.patch(name, patch, gateway.metadata);
      report(`AIGateway ${name} now accepts tokens of ${issuer} instead of ${oidc.issuer}`);
      return changed;
    } catch (error) {
      const newer = isCode(error, 'conflict') && attempt < MAX_ATTEMPTS ? await store.get(name) : undefined;
      if (newer === undefined) throw error;
      gateway = newer;
    }
  }
}

const isLocal = ({ audience, issuer }: AIGateway['spec']['auth']['oidc']): boolean =>
  audience === AUDIENCE && /^http:\/\/127\.0\.0\.1:\d+$/.test(issuer);

/** Says that the users of the platform cannot use the gateway with their tokens. */
function reportForeignTokens({ metadata, spec }: AIGateway, issuer: string, report: (line: string) => void): void {
  const { oidc } = spec.auth;
  if (oidc.issuer === issuer && oidc.audience === AUDIENCE) return;
  report(
    `AIGateway ${metadata.name} accepts tokens of ${oidc.issuer} for ${oidc.audience}, not those of this platform; to accept them, set issuer ${issuer} and audience ${AUDIENCE} in its spec.auth.oidc`,
  );
}

const isCode = (error: unknown, code: ResourceStoreError['code']): boolean =>
  error instanceof ResourceStoreError && error.code === code;
