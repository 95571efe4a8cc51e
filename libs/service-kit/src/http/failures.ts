import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, type FailureForm, findFailureForm } from './failure-form.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { HttpError, HTTP_ERROR_STATUS } from '../errors/http-error.ts';
import type { HttpErrorKind } from '../errors/http-error.ts';
import { getRequestPath } from './request-path.ts';
import { getBodyContentTypes } from '../routes/route-facts.ts';

/**
 * The form of failure bodies: `sentence` is `{"error": "<sentence>"}`, `codes` is `{"error":
 * "<code>", "requestId", "violations"}`.
 */
export type FailureStyle = 'sentence' | 'codes';

/** Options of Failures. */
export interface FailuresOptions {
  style: FailureStyle;
  /** Parts of the service whose failures have another form. */
  forms?: readonly FailureForm[] | undefined;
  log: Log;
  metrics: Metrics;
  /** Maps an error of a dependency to an HttpError; undefined for an unknown error. */
  toHttpError?: ((error: unknown) => HttpError | undefined) | undefined;
  /** Is called for each 403 before the answer. */
  onForbidden(request: FastifyRequest, refusal: HttpError): Promise<void>;
  /** Is called for each failure of a request before the answer. */
  onRefused(request: FastifyRequest, failure: Failure): void;
}

const KIND_BY_STATUS = new Map<number, HttpErrorKind>(
  Object.entries(HTTP_ERROR_STATUS).map(([kind, status]) => [status, kind as HttpErrorKind]),
);

/** Messages for refusals of Fastify. */
const BY_CODE: Record<string, [HttpErrorKind, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'body: is larger than this operation takes'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid', 'Content-Length: does not match the body'],
  FST_ERR_BAD_URL: ['invalid', 'path: has a percent sign without two hexadecimal digits after it'],
  ECONNRESET: ['invalid', 'body: ended before it was complete'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid', 'path: a part of it is too long'],
};

/**
 * Turns every failure of handlers (as a Nest filter), hooks, parsers and the router into an answer.
 */
@Catch()
export class Failures implements ExceptionFilter {
  private readonly unauthenticated;

  constructor(private readonly options: FailuresOptions) {
    this.unauthenticated = options.metrics.counter(
      'gatehouse.http.unauthenticated',
      'Requests answered 401',
      '{request}',
    );
  }

  /** For Nest. */
  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    await this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Answers `request` with the failure body of `error`. */
  async answer(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (reply.sent) {
      this.options.log.error({ err: error }, 'a request failed after its answer had begun');
      return;
    }
    const form = findFailureForm(this.options.forms, getRequestPath(request.url));
    reply.type(getContentType(form));
    const refusal = unreadableType(error, request) ?? refusalOfError(error) ?? this.options.toHttpError?.(error);
    if (!refusal) {
      this.options.log.error({ err: error }, 'unexpected failure');
      const sentence = `an unexpected error occurred; report it with the request id ${request.id}`;
      await this.send(request, reply, form, { status: 500, code: 'internal', sentence, violations: [] });
      return;
    }
    // Readiness logs its own changes, and no single probe.
    if (refusal.status >= 500 && refusal.kind !== 'not_implemented' && getRequestPath(request.url) !== '/readyz')
      this.options.log.warn({ err: refusal }, 'cannot serve a request');
    if (refusal.kind === 'unauthenticated') this.unauthenticated.add(1);
    if (refusal.kind === 'forbidden') await this.reportForbidden(request, refusal);
    if (refusal.retryAfterMs !== undefined)
      reply.header('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterMs / 1_000))));
    reply.headers(refusal.headers);
    const { status, code, message: sentence, violations } = refusal;
    await this.send(request, reply, form, { status, code, sentence, violations });
  }

  /**
   * The body of a failure at a path, and its type, for an answer without a request.
   */
  formed(path: string, failure: Failure): { contentType: string; body: object } {
    const form = findFailureForm(this.options.forms, path);
    return { contentType: getContentType(form), body: this.createBody(form, failure) };
  }

  private async send(
    request: FastifyRequest,
    reply: FastifyReply,
    form: FailureForm | undefined,
    facts: Omit<Failure, 'requestId'>,
  ): Promise<void> {
    const failure = { ...facts, requestId: request.id };
    this.options.onRefused(request, failure);
    await reply.code(failure.status).send(this.createBody(form, failure));
  }

  /** The failure body in the form of the path, else in the style of the service. */
  private createBody(form: FailureForm | undefined, failure: Failure): object {
    const { code, sentence, requestId, violations } = failure;
    if (form) return form.createBody(failure);
    return this.options.style === 'sentence' ? { error: sentence } : { error: code, requestId, violations };
  }

  private async reportForbidden(request: FastifyRequest, refusal: HttpError): Promise<void> {
    try {
      await this.options.onForbidden(request, refusal);
    } catch (error) {
      this.options.log.error({ err: error }, 'the audit event of a refused request could not be recorded');
    }
  }
}

const getContentType = (form: FailureForm | undefined): string =>
  `${form?.contentType ?? 'application/json'}; charset=utf-8`;

/** The refusal of a body whose content type no parser accepts. */
function unreadableType(error: unknown, request: FastifyRequest): HttpError | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return undefined;
  const sentence = `Content-Type: must be ${getBodyContentTypes(request.routeOptions.config.gatehouse).join(' or ')}`;
  return new HttpError('unsupported_media_type', sentence, { cause: error });
}

function refusalOfError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof HttpException) {
    const kind = KIND_BY_STATUS.get(error.getStatus());
    return kind && new HttpError(kind, error.message, { cause: error });
  }
  if (error === null || typeof error !== 'object') return undefined;
  // An error of a connection to another service can have the same code, but no status.
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' && typeof statusCode === 'number' ? BY_CODE[code] : undefined;
  if (known) return new HttpError(known[0], known[1], { cause: error });
  if (typeof code !== 'string' || !code.startsWith('FST_') || typeof statusCode !== 'number' || statusCode >= 500)
    return undefined;
  return new HttpError(KIND_BY_STATUS.get(statusCode) ?? 'invalid', 'the request is not well formed', { cause: error });
}
