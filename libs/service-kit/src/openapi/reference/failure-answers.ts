import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { FailureForm } from '../../http/failure-form.ts';
import type { FailureStyle } from '../../http/failures.ts';

/** The meaning of a failure status in every service, and the headers of its answer. */
interface FailureMeaning {
  /** The description in the reference. */
  when: string;
  /** The next step of the caller. */
  cure: string;
  /** The usual message of the answer. */
  example: string;
  /** Machine code of the answer, for bodies with codes. */
  code: string;
  headers?: readonly string[];
}

const MEANINGS: Readonly<Record<number, FailureMeaning>> = {
  400: {
    when: 'The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused.',
    cure: 'correct the field',
    example: 'body: must be an object',
    code: 'invalid_request',
  },
  401: {
    when: 'The access token is missing, expired, issued for another audience, or not signed by a configured issuer.',
    cure: 'get a new token from an issuer that the resource metadata names',
    example: 'this operation needs an access token',
    code: 'unauthenticated',
    headers: ['WWW-Authenticate'],
  },
  403: {
    when: 'The access token is valid, but its roles do not allow the operation. The audit trail records the refusal.',
    cure: 'ask an administrator for the role',
    example: 'caller is not a directory admin',
    code: 'forbidden',
  },
  404: {
    when: 'The object does not exist, or it belongs to another caller. Both answers are the same.',
    cure: 'check the id in its list',
    example: 'there is no object with this id',
    code: 'not_found',
  },
  405: {
    when: 'The path does not support this method.',
    cure: 'use one of the methods that the header names',
    example: 'this path takes GET',
    code: 'invalid_request',
    headers: ['Allow'],
  },
  409: {
    when: 'The state of the object, or of a related object, does not allow the change.',
    cure: 'change the state that the sentence names, then try again',
    example: 'the state of the object does not allow this',
    code: 'already_exists',
  },
  412: {
    when: '`If-Match` names an earlier state: another request changed the object in the meantime.',
    cure: 'read the object again, then repeat the change',
    example: 'If-Match: the object has changed since you read it; read it again',
    code: 'precondition_failed',
  },
  413: {
    when: 'The body exceeds a limit, which the sentence names. A body has at most 1 MiB, 50,000 values, 50,000 keys and 100 levels. A batch or collection has at most 8 MiB: these counts then apply to each item, a value has at most 1 MiB, an item that is judged separately at most 128 KiB, and an object around the items at most 1,000 members.',
    cure: 'send less in one request',
    example: 'body: is larger than this operation takes',
    code: 'invalid_request',
  },
  415: {
    when: 'The operation does not accept the content type of the body.',
    cure: 'set `Content-Type`',
    example: 'Content-Type: must be application/json',
    code: 'invalid_request',
  },
  422: {
    when: 'The request is well formed, but a rule does not allow it.',
    cure: 'change the request so that the rule allows it',
    example: 'a rule does not allow this request',
    code: 'validation_failed',
  },
  428: {
    when: 'The change needs `If-Match`, which is missing.',
    cure: 'read the object and send its `ETag`',
    example: 'If-Match: is required; read the object and send its ETag',
    code: 'precondition_required',
  },
  429: {
    when: 'The caller has sent too many requests.',
    cure: 'wait as long as `Retry-After` says',
    example: 'too many requests',
    code: 'rate_limited',
    headers: ['Retry-After'],
  },
  431: {
    when: 'The request line and the headers together have more than 16 KiB.',
    cure: 'send smaller headers or a shorter query',
    example: 'headers: are larger than 16 KiB together',
    code: 'invalid_request',
  },
  500: {
    when: 'The service failed unexpectedly. Nothing was changed.',
    cure: 'give the request id to the operator of the service; its log has the cause',
    example: 'an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11',
    code: 'internal',
  },
  501: {
    when: 'This deployment does not offer the operation.',
    cure: 'use the alternative in the documentation of the deployment',
    example: 'this deployment does not offer the operation',
    code: 'not_implemented',
  },
  502: {
    when: 'The answer of an upstream service cannot be used.',
    cure: 'check the upstream service',
    example: 'the answer of the upstream cannot be used',
    code: 'upstream_unavailable',
  },
  503: {
    when: 'A dependency of the service is unavailable or not configured.',
    cure: 'wait as long as `Retry-After` says',
    example: 'the database cannot be reached',
    code: 'upstream_unavailable',
    headers: ['Retry-After'],
  },
};

/** The documented failure bodies by style. */
export const FAILURE_BODIES: Readonly<Record<FailureStyle, z.ZodType>> = {
  sentence: z
    .object({ error: z.string().meta({ description: 'The reason as one sentence' }) })
    .meta({ id: 'FailureBody', description: 'The reason for which a request failed' }),
  codes: z
    .object({
      error: z.string().meta({ description: 'Machine code' }),
      requestId: z.string(),
      violations: z.array(
        z
          .object({ field: z.string().meta({ description: 'JSON pointer (RFC 6901)' }), message: z.string() })
          .meta({ id: 'Violation' }),
      ),
    })
    .meta({ id: 'FailureBody', description: 'The reason for which a request failed' }),
};

/** The description of a failure status in the reference. */
export const describeStatus = (status: number): string => MEANINGS[status]?.when ?? STATUS_CODES[status] ?? 'Failure';

/** The headers of a failure status beside X-Request-Id. */
export const headersWith = (status: number): readonly string[] => MEANINGS[status]?.headers ?? [];

/** The facts of one failure of one operation. */
interface FailureExample {
  status: number;
  style: FailureStyle;
  /** Default: the usual message of the status. */
  sentence?: string | undefined;
  /** Name of a field that can be wrong. */
  field?: string | undefined;
  /** The form of failures that follow another specification. */
  form?: Pick<FailureForm, 'createBody'> | undefined;
}

const REQUEST_ID = '5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11';

/** An example of a failure body. */
export function failureExample({ status, style, sentence, field, form }: FailureExample): object {
  const meaning = MEANINGS[status];
  const wrongField = status === 400 && field !== undefined;
  const message = 'does not have the required form';
  const words = sentence ?? (wrongField ? `${field}: ${message}` : (meaning?.example ?? 'the request failed'));
  const code = meaning?.code ?? 'internal';
  if (form) return form.createBody({ status, code, sentence: words, requestId: REQUEST_ID, violations: [] });
  if (style === 'sentence') return { error: words };
  return {
    error: code,
    requestId: REQUEST_ID,
    violations: wrongField ? [{ field: `/${field}`, message: sentence ?? message }] : [],
  };
}

/**
 * The error table of the reference, in Markdown.
 * @param statuses failure statuses of the service's operations
 */
export function failureTable(statuses: Iterable<number>): string {
  const rows = [...new Set(statuses)]
    .sort((a, b) => a - b)
    .map((status) => {
      const headers = headersWith(status)
        .map((name) => `\`${name}\``)
        .join(', ');
      return `| **${status}** ${STATUS_CODES[status] ?? ''} | ${describeStatus(status)} | ${MEANINGS[status]?.cure ?? ''} | ${headers} |`;
    });
  return ['| Status | When | What to do | Headers |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
