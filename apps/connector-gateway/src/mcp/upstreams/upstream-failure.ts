import { causesOf } from '@gatehouse/egress/egress-refusal';
import { AnswerLimitError } from '@gatehouse/mcp/answer-limits';
import { ClusterSecretError } from '../ports/upstream-secrets.ts';
import { CredentialProblem } from '../ports/upstream-secrets.ts';
import { UpstreamUnavailableError } from './upstreams.ts';

/** One error of a chain as the log may hold it. */
interface FailureFact {
  name: string;
  /** In the words of this gateway; absent for errors of clients, whose words are the upstream's. */
  message?: string;
  /** Of the operating system, the dispatcher or JSON-RPC. */
  code?: string | number;
  /** HTTP status. */
  status?: number;
  /** The rule of outgoing calls that said no. */
  rule?: string;
}

/**
 * What the log may hold of a failure of an upstream, outermost error first. The messages of a
 * client repeat the answer of the upstream, and that may repeat the request: the secret of the
 * connector, what a person wrote, a piece of either. Names, codes and the status say where to look
 * without them.
 */
export function failureFacts(error: unknown): FailureFact[] {
  return causesOf(error).map((cause) => {
    const { name, code, status, rule } = cause as Record<string, unknown>;
    return {
      name: wordOf(name) ?? 'Error',
      ...(isOurs(cause) && { message: cause.message }),
      ...definedly('code', wordOf(code) ?? numberOf(code)),
      ...definedly('status', numberOf(status)),
      ...definedly('rule', wordOf(rule)),
    };
  });
}

/** Whether the message is a sentence of this gateway. */
const isOurs = (cause: unknown): cause is Error =>
  cause instanceof UpstreamUnavailableError ||
  cause instanceof CredentialProblem ||
  cause instanceof AnswerLimitError ||
  cause instanceof ClusterSecretError;

/** Errors of a program are named by words of letters; anything else came from somewhere else. */
const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_]{1,48}$/.test(value) ? value : undefined;

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const definedly = <Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
