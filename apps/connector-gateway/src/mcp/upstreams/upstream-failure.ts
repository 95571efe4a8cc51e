import { listCauses } from '@gatehouse/egress/egress-refusal';
import { ClusterSecretError } from '@gatehouse/kubernetes/secret-value';
import { ResponseLimitError } from '@gatehouse/mcp/response-limits';
import { ContractViolationError } from '@gatehouse/service-kit/received';
import { CredentialError } from '../ports/upstream-secrets.ts';
import { UpstreamUnavailableError } from './upstream-unavailable.ts';

/** One error of a chain of causes, for the log. */
interface FailureFact {
  name: string;
  /** Only of errors of this gateway: messages of clients repeat text of the upstream. */
  message?: string;
  /** Of the operating system, the dispatcher or JSON-RPC. */
  code?: string | number;
  /** HTTP status. */
  status?: number;
  /** The egress rule that refused. */
  rule?: string;
}

/**
 * The loggable facts of an upstream failure, outermost error first. Messages of a client repeat the
 * upstream's response, which may repeat the secret or the request. Names, codes and the status are
 * safe.
 */
export function listFailureFacts(error: unknown): FailureFact[] {
  return listCauses(error).map((cause) => {
    const { name, code, status, rule } = cause as Record<string, unknown>;
    return {
      name: readWord(name) ?? 'Error',
      ...(isGatewayError(cause) && { message: cause.message }),
      ...createOptionalMember('code', readWord(code) ?? readNumber(code)),
      ...createOptionalMember('status', readNumber(status)),
      ...createOptionalMember('rule', readWord(rule)),
    };
  });
}

/** Whether this gateway wrote the message. */
const isGatewayError = (cause: unknown): cause is Error =>
  cause instanceof UpstreamUnavailableError ||
  cause instanceof CredentialError ||
  cause instanceof ResponseLimitError ||
  cause instanceof ClusterSecretError ||
  cause instanceof ContractViolationError;

/** Accepts a name of letters only; any other text may come from the upstream. */
const readWord = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_]{1,48}$/.test(value) ? value : undefined;

const readNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const createOptionalMember = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> => (value === undefined ? {} : ({ [name]: value } as Record<Name, Value>));
