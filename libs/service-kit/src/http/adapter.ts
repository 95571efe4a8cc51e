import { FastifyAdapter } from '@nestjs/platform-fastify';
import { StreamableFile } from '@nestjs/common';
import { Answer, FullAnswer, noneMatchNames } from './etag.ts';

/**
 * Nest's Fastify adapter for the headers and ETags of `Answer`. The handlers of the port answer
 * failures.
 */
export class KitAdapter extends FastifyAdapter {
  override reply(
    ...[response, body, statusCode]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    if (body instanceof StreamableFile || !('request' in response)) return super.reply(response, body, statusCode);
    const status = body instanceof Answer ? (body.status ?? statusCode) : statusCode;
    if (status !== undefined) response.code(status);
    const type = response.request.routeOptions.config.gatehouse?.operation?.success.contentType;
    if (type !== undefined && status !== 204) response.type(type);
    if (!(body instanceof Answer)) return response.send(body);
    response.headers(body.headers);
    const etag = body.headers['etag'];
    const { method, headers } = response.request;
    if (
      etag !== undefined &&
      !(body instanceof FullAnswer) &&
      (method === 'GET' || method === 'HEAD') &&
      noneMatchNames(headers['if-none-match'], etag)
    ) {
      return response.code(304).send();
    }
    return response.send(body.body);
  }

  // The port sets these handlers, also for routes outside of Nest.
  override setErrorHandler(): never {
    return undefined as never;
  }

  override setNotFoundHandler(): never {
    return undefined as never;
  }
}
