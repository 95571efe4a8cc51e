import { describe, expect, it } from '@jest/globals';
import {
  type Call,
  type ContractClient,
  type ContractService,
  type DocumentedOperation,
  readDocument,
} from './contract-client.ts';
import { fuzzOperation } from './contract-fuzz.ts';

/** The callers that every service knows. */
export type CommonPersona = 'admin' | 'auditor' | 'user' | 'gateway';
/** The callers that only the administration of an AI gateway knows. */
type PolicyPersona = 'policyEditor' | 'authenticated';
/**
 * The caller of a request. `anonymous` sends no token; `own` uses a credential that the service
 * issues; the sample contains it.
 */
type Persona = CommonPersona | PolicyPersona | 'own' | 'anonymous';

/**
 * A running service under test. `tokens` are valid access tokens; `foreignToken` comes from the
 * right issuer for another audience.
 */
export interface RunningService {
  client: ContractClient;
  tokens: Record<CommonPersona, string> & Partial<Record<PolicyPersona, string>>;
  foreignToken: string;
  /** A digest of all data that the service has stored, see fuzzOperation. */
  state?: () => Promise<string>;
}

/**
 * Builds a valid call of an operation. It is called again for each attack, so that a write can use
 * fresh names.
 */
export type Sample = (service: RunningService) => Call | Promise<Call>;

/**
 * Generates the tests that every operation of a service needs, from its committed OpenAPI document.
 * A call without a token, with garbage or with a token for another audience is 401. A persona
 * without the role gets 403, and one with the role does not. Every parameter and field survives the
 * fuzzer.
 * @param samples a valid call for each documented operation; an operation without one fails by
 * name, so that a new route cannot be forgotten
 */
export const describeEveryOperation = (
  service: ContractService,
  running: () => RunningService,
  samples: Record<string, Sample>,
): void => {
  const operations = listOperations(service);
  it('has a sample call for every documented operation', () => {
    expect(operations.map(({ operation }) => operation).filter((operation) => !samples[operation])).toEqual([]);
  });
  describe.each(operations)('$operation', ({ operation, documented }) => {
    const allowed = selectPersonas(documented);
    const anywhere = { path: fillers(operation) };
    if (!allowed.includes('anonymous')) {
      it('refuses no token, garbage and a token for another audience with 401', async () => {
        const { client, foreignToken, tokens } = running();
        const others = allowed.includes('own') ? Object.values(tokens) : [];
        for (const token of [undefined, 'garbage', foreignToken, `${foreignToken.slice(0, -4)}AAAA`, ...others]) {
          const response = await client.call(operation, { ...anywhere, ...(token !== undefined && { token }) });
          expect(response.status).toBe(401);
          expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
        }
      });
    }
    if (!allowed.includes('anonymous') && !allowed.includes('own')) {
      it.each(admitted(allowed))('permits a caller with only the role %s', async (persona) => {
        const { client, tokens } = running();
        const { status } = await client.call(operation, { ...anywhere, ...findToken(tokens, persona) });
        expect([401, 403]).not.toContain(status);
      });
      it.each(refused(service, allowed))('refuses a caller with only the role %s with 403', async (persona) => {
        const { client, tokens } = running();
        expect((await client.call(operation, { ...anywhere, ...findToken(tokens, persona) })).status).toBe(403);
      });
    }
    it('answers every malformed request with a sentence and keeps its state', async () => {
      const service = running();
      const sample = samples[operation];
      if (!sample) throw new Error(`no sample call for ${operation}`);
      const token = findToken(service.tokens, allowed[0]);
      const call = await sample(service);
      const { refused: turnedAway, accepted } = await fuzzOperation(service.client, {
        operation,
        valid: { ...token, ...call },
        ...(service.state && { state: service.state }),
      });
      expect(turnedAway + accepted).toBeGreaterThan(0);
    }, 120_000);
  });
};

/**
 * Generates a test for every operation that can succeed: the sample call of a permitted caller
 * succeeds.
 * @param refused operations whose samples are refused
 */
export const describeEverySuccess = (
  service: ContractService,
  running: () => RunningService,
  samples: Record<string, Sample>,
  refused: readonly string[] = [],
): void => {
  const operations = listOperations(service).filter(
    ({ operation, documented }) =>
      !refused.includes(operation) && Object.keys(documented.responses).some((status) => Number(status) < 400),
  );
  it.each(operations)('$operation answers a sample call', async ({ operation, documented }) => {
    const { client, tokens } = running();
    const sample = samples[operation];
    if (!sample) throw new Error(`no sample call for ${operation}`);
    const response = await client.call(operation, {
      ...findToken(tokens, selectPersonas(documented)[0]),
      ...(await sample(running())),
    });
    expect([response.status < 400, response.body]).toEqual([true, response.body]);
  });
};

const listOperations = (service: ContractService) =>
  Object.entries(readDocument(service).paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, documented]) => ({ operation: `${method.toUpperCase()} ${path}`, documented })),
  );

/**
 * The permitted personas of an operation, from `security` and `x-roles` of the document. The fuzzer
 * uses the first one.
 */
const selectPersonas = (documented: DocumentedOperation & { 'x-roles'?: string[] }): Persona[] => {
  const roles = documented['x-roles'];
  if (documented.security?.some((scheme) => !('bearer' in scheme))) return ['own'];
  if (documented.security?.length === 0 || roles === undefined) return ['anonymous'];
  if (roles.includes('any') || roles.includes('user')) return ['user', 'admin', 'auditor'];
  // An administrator and a policy editor also are authenticated.
  if (roles.includes('authenticated')) return ['authenticated', 'policyEditor', 'admin'];
  return (['admin', 'policyEditor', 'auditor', 'gateway'] as const).filter((role) => roles.includes(role));
};

/** The token of a persona for a call; none for a persona without one. */
const findToken = (tokens: RunningService['tokens'], persona: Persona | undefined): Pick<Call, 'token'> => {
  if (persona === undefined || persona === 'anonymous' || persona === 'own') return {};
  const token = tokens[persona];
  if (token === undefined) throw new Error(`the running service has no token of the persona ${persona}`);
  return { token };
};

/**
 * The personas to test for permission. An administrator is also a user, but may lack a directory
 * entry, so operations for users are tested with a user only.
 */
const admitted = (allowed: Persona[]) =>
  (allowed.includes('user') ? (['user'] as const) : [...COMMON, ...OF_POLICIES])
    .filter((persona) => allowed.includes(persona))
    .map((persona) => [persona] as const);

const refused = (service: ContractService, allowed: Persona[]) =>
  [...COMMON, ...(service === 'ai-gateway-mgmt' ? OF_POLICIES : [])]
    .filter((persona) => !allowed.includes(persona) && !(allowed.includes('user') && persona !== 'gateway'))
    .map((persona) => [persona] as const);

const COMMON = ['admin', 'auditor', 'user', 'gateway'] as const;
const OF_POLICIES = ['policyEditor', 'authenticated'] as const;

const fillers = (operation: string): Record<string, string> =>
  Object.fromEntries(
    [...operation.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => [name, '00000000-0000-4000-8000-000000000000']),
  );
