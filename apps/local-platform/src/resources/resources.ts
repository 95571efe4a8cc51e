import type { ResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import type { AIGateway, AIPolicy, NewResource, Resource } from '@gatehouse/ai-resources/resource';
import { type ResourceStore, ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { AUDIENCE } from '../platform-file.ts';
import type { CreatedPolicies } from './created-policies.ts';
import { addDemoModels, hasDemoModels } from './demo-models.ts';
import { type DemoModels, readTemplates } from './templates.ts';

/** How often another writer may be ahead of a change. */
const MAX_ATTEMPTS = 5;

/** The options of the resources. */
export interface ResourceOptions {
  /** Address of the platform's identity provider. */
  readonly issuer: string;
  /** Address of the demo provider; undefined without a demonstration. */
  readonly demoProviderUrl: string | undefined;
  /** The policies that earlier starts created. */
  readonly created: CreatedPolicies;
  /** Prints one line for the user. */
  readonly report: (line: string) => void;
}

/**
 * Creates the AIGateway `local` and its first policies where they are absent. A policy that an
 * earlier start created for the same AIGateway stays deleted. Of an existing AIGateway, only the
 * address of the identity provider follows the ports of the platform. A demonstration adds its
 * models to it.
 * @returns the AIGateway
 * @throws ResourceStoreError
 */
export async function prepareResources(stores: ResourceStores, options: ResourceOptions): Promise<AIGateway> {
  const { issuer, demoProviderUrl, created, report } = options;
  const templates = readTemplates(issuer, demoProviderUrl);
  const { demoModels } = templates;
  const found = await findOrCreate(stores.gateways, templates.gateway, report);
  const followed = await adapt(stores.gateways, found, report, (current) => findIssuerChange(current, issuer));
  const gateway =
    demoModels === undefined
      ? followed
      : await adapt(stores.gateways, followed, report, (current) => findDemoChange(current, demoModels));
  if (demoModels === undefined && hasDemoModels(gateway.spec))
    report(`AIGateway ${gateway.metadata.name} has the models of the demonstration, which answer only with --demo`);
  reportForeignTokens(gateway, issuer, report);
  const { uid } = gateway.metadata;
  const known = created.list(uid);
  const missing = templates.policies.filter(({ metadata }) => !known.includes(metadata.name));
  for (const policy of missing) await findOrCreate(stores.policies, policy, report);
  for (const { metadata } of templates.policies) await followIssuerInPolicy(stores.policies, metadata.name, options);
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

/** A change of the gateway, and the line for the user that says so. */
interface GatewayChange {
  readonly spec: object;
  readonly line: string;
}

/**
 * Changes the gateway where a platform at these ports needs it.
 * @param findChange returns undefined for a gateway that needs no change
 */
async function adapt(
  store: ResourceStore<AIGateway>,
  found: AIGateway,
  report: (line: string) => void,
  findChange: (gateway: AIGateway) => GatewayChange | undefined,
): Promise<AIGateway> {
  const { name } = found.metadata;
  let gateway = found;
  for (let attempt = 1; ; attempt += 1) {
    const change = findChange(gateway);
    if (change === undefined) return gateway;
    try {
      const changed = await store.patch(name, { spec: change.spec }, gateway.metadata);
      report(change.line);
      return changed;
    } catch (error) {
      const newer = isCode(error, 'conflict') && attempt < MAX_ATTEMPTS ? await store.get(name) : undefined;
      if (newer === undefined) throw error;
      gateway = newer;
    }
  }
}

/**
 * Replaces the issuer of the gateway when it is that of a platform at other ports: its audience is
 * the platform's and its host is this machine.
 */
function findIssuerChange({ metadata, spec }: AIGateway, issuer: string): GatewayChange | undefined {
  const { oidc } = spec.auth;
  if (oidc.issuer === issuer || !isLocal(oidc)) return undefined;
  return {
    spec: { auth: { oidc: { issuer, jwksUri: `${issuer}/jwks` } } },
    line: `AIGateway ${metadata.name} now accepts tokens of ${issuer} instead of ${oidc.issuer}`,
  };
}

/**
 * Replaces the issuer in the matchers of a policy when it is that of a platform at other ports. A
 * policy that another program changes at the same time stays as it is until the next start.
 */
async function followIssuerInPolicy(
  store: ResourceStore<AIPolicy>,
  name: string,
  { issuer, report }: Pick<ResourceOptions, 'issuer' | 'report'>,
): Promise<void> {
  const policy = await store.get(name);
  const matchers = policy?.spec.principalMatchers ?? [];
  const isStale = ({ claims }: (typeof matchers)[number]) => claims['iss'] !== issuer && isLocalAddress(claims['iss']);
  if (policy === undefined || !matchers.some(isStale)) return;
  const principalMatchers = matchers.map((matcher) =>
    isStale(matcher) ? { claims: { ...matcher.claims, iss: issuer } } : matcher,
  );
  try {
    await store.patch(name, { spec: { principalMatchers } }, policy.metadata);
    report(`AIPolicy ${name} now matches users of ${issuer}`);
  } catch (error) {
    if (!isCode(error, 'conflict')) throw error;
  }
}

function findDemoChange({ metadata, spec }: AIGateway, demo: DemoModels): GatewayChange | undefined {
  const changed = addDemoModels(spec, demo);
  return changed && { spec: changed, line: `AIGateway ${metadata.name} has the models of the demonstration` };
}

const isLocal = ({ audience, issuer }: AIGateway['spec']['auth']['oidc']): boolean =>
  audience === AUDIENCE && isLocalAddress(issuer);

const isLocalAddress = (address = ''): boolean => /^http:\/\/127\.0\.0\.1:\d+$/.test(address);

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
