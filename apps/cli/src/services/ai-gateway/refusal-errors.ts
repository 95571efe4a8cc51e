import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { CommandFailedError, ConflictError, RefusedError, UsageError, type CliError } from '../../errors/cli-error.ts';
import { createRefusedTokenError } from '../session/refused-token.ts';
import type { Refusal } from './refusal.ts';
import { createForeignAnswerError, type ManagementSources } from './service-errors.ts';
import { type FieldSources, formatViolations } from './violations.ts';

/** The facts of a request that its error message needs. */
export interface Operation extends FieldSources {
  /** The roles that may do it: `admin`. */
  readonly roles: string;
  /** The sentence for an object that does not exist, and the command that lists the objects. */
  readonly missing?: { readonly sentence: string; readonly list: string };
  /** The AI policy by name, for messages about its state. */
  readonly policy?: string;
}

/** The refusal as the service sent it. `--debug` shows it, because it has the request id. */
class ServiceRefusalError extends GatehouseError {
  override readonly code: string;

  constructor({ status, code = 'no machine code', requestId = 'unknown' }: Refusal) {
    super(`AI gateway management answered HTTP ${status} (${code}), request id ${requestId}`, { expose: true });
    this.code = code;
  }
}

/**
 * The error of a refusal: what happened, why, and what to do next. A failure of the service names
 * the request id, for its log.
 */
export function createRefusalError(sources: ManagementSources, refusal: Refusal, operation: Operation): CliError {
  const cause = new ServiceRefusalError(refusal);
  const { status, code, violations, retryAfter, requestId } = refusal;
  const retry = `try again${retryAfter === undefined ? '' : ` in ${retryAfter} s`}`;
  const list = formatViolations(violations, operation);
  const id = requestId === undefined ? '' : ` (request id ${requestId})`;
  const known = createErrorByCode(refusal, sources, operation, cause);
  if (known) return known;
  if (status === 401) {
    const { url, manager, tokenSource: source } = sources;
    return createRefusedTokenError({ url, manager, source, service: 'service' }, '', cause);
  }
  if (status === 429) return new CommandFailedError('You sent too many requests', [retry], cause);
  if (status === 503) {
    const tries = [retry, `${sources.url}/readyz   names what is unavailable`];
    return new CommandFailedError(`${sources.url} cannot serve requests now${id}${list}`, tries, cause);
  }
  if (status >= 500) {
    const tries = ['give the request id to the operator of the service: its log has the cause'];
    return new CommandFailedError(`${sources.url} failed unexpectedly${id}${list}`, tries, cause);
  }
  if (status === 404 || code === undefined) return createForeignAnswerError(sources, status, cause);
  return new UsageError(`${sources.url} does not accept the request (HTTP ${status}, ${code})${list}`, [], cause);
}

/** The error of the codes for which the status alone does not decide; undefined for others. */
function createErrorByCode(
  { code, violations }: Refusal,
  { url }: ManagementSources,
  operation: Operation,
  cause: Error,
): CliError | undefined {
  const { missing, policy = '', roles } = operation;
  const list = formatViolations(violations, operation);
  const show = `gatehouse admin ai-policies show ${policy}   shows the present state`;
  switch (code) {
    case 'forbidden':
      return new RefusedError(
        `You may not do this at ${url}: it requires an active user with the role ${roles}`,
        [
          'gatehouse models --json   shows your roles at the AI gateway',
          'ask an administrator of the AI gateway for the role',
        ],
        cause,
      );
    case 'not_found':
      if (missing === undefined) return undefined;
      return new CommandFailedError(missing.sentence, [missing.list], cause);
    case 'already_exists':
      return new ConflictError(
        `There is already an AI policy ${JSON.stringify(policy)}`,
        [`gatehouse admin ai-policies edit ${policy}`, 'or another name'],
        cause,
      );
    case 'precondition_failed':
      return new ConflictError(
        `The AI policy ${JSON.stringify(policy)} was changed in the meantime; your request changed nothing`,
        [show, 'repeat the command if you still want the change'],
        cause,
      );
    case 'immutable_field':
      return new UsageError(
        `A field cannot be changed after the creation of an AI policy${list}`,
        ['gatehouse admin ai-policies create   creates a policy for another gateway'],
        cause,
      );
    case 'validation_failed':
      return new UsageError(`The AI policy is not valid${list}`, [], cause);
    case 'invalid_label_selector':
      return new UsageError(`--label is not a label selector${list}`, ["--label 'team=support,tier in (a,b)'"], cause);
    case 'invalid_page_token':
      return new CommandFailedError(
        'The list changed while it was read; nothing was shown',
        ['repeat the command'],
        cause,
      );
    default:
      return undefined;
  }
}
