import { EgressRefusalError } from '@gatehouse/egress/egress-refusal';
import { checkUrl, getAuthority, readTarget } from '@gatehouse/egress/target';
import { nextTurn } from '@gatehouse/json-limits/event-loop';
import type { ClaimMapping } from '@gatehouse/policy/claims';
import type { DocumentChecks } from '@gatehouse/policy/document-checks';
import type { Backend } from './backends-schema.ts';
import { findSecretSource, readSecret, SecretSourceError, type VariableReader } from './backend-secrets.ts';
import type { BackendsText } from './backends-text.ts';

/** The inputs of the further rules of a backends file. */
export interface BackendRules {
  checks: Pick<DocumentChecks, 'examine'>;
  /** The claims that policies may mention. */
  claims: ClaimMapping;
  allowLoopback: boolean;
  readVariable: VariableReader;
}

/**
 * Checks the rules of a backends file that its schema cannot express: addresses, secrets, and the
 * strict validation of policies.
 * @param known policies by backend that were valid before
 * @throws FileProblemError
 */
export async function checkBackends(
  { backends: { backends }, createProblem }: BackendsText,
  rules: BackendRules,
  known: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [at, backend] of backends.entries()) {
    const address = findAddressProblem(backend, rules.allowLoopback);
    if (address !== undefined) throw createProblem(['backends', at, 'url'], address);
    const issuer = findIssuerProblem(backend, rules.allowLoopback);
    if (issuer !== undefined) throw createProblem(['backends', at, 'auth', 'issuer'], issuer);
    const secret = await findSecretProblem(backend, rules.readVariable);
    if (secret !== undefined) throw createProblem(['backends', at, 'auth', secret.field], secret.message);
    const { name, policy } = backend;
    if (policy === undefined || known.get(name) === policy) continue;
    const { faults } = await rules.checks.examine(policy, name, rules.claims);
    const [fault] = faults;
    if (fault !== undefined) {
      const place = `line ${fault.line}, column ${fault.column} of the policy`;
      throw createProblem(['backends', at, 'policy'], `is not valid: ${place}: ${fault.message}`, fault.line);
    }
    await nextTurn();
  }
}

const findIssuerProblem = ({ auth }: Backend, allowLoopback: boolean): string | undefined =>
  auth.type === 'sign_in' ? findAddressProblem({ ...auth, url: auth.issuer }, allowLoopback) : undefined;

function findAddressProblem(
  { url, allow_private_ips }: Pick<Backend, 'url' | 'allow_private_ips'>,
  allowLoopback: boolean,
): string | undefined {
  try {
    const target = readTarget(url);
    checkUrl(target, { authority: getAuthority(target), allowPrivateIps: allow_private_ips, allowLoopback });
    return undefined;
  } catch (error) {
    if (!(error instanceof EgressRefusalError)) throw error;
    if (error.rule === 'malformed') return error.message;
    return `is refused: ${error.message} (field allow_private_ips, setting ALLOW_LOOPBACK_UPSTREAMS)`;
  }
}

async function findSecretProblem(
  backend: Backend,
  readVariable: VariableReader,
): Promise<{ field: string; message: string } | undefined> {
  const source = findSecretSource(backend);
  if (source === undefined) return undefined;
  try {
    await readSecret(source, readVariable);
    return undefined;
  } catch (error) {
    if (!(error instanceof SecretSourceError)) throw error;
    return { field: source.field, message: error.message };
  }
}
