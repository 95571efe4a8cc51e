import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ZodObject } from 'zod';
import { withRequired } from './schema-check.ts';
import { validationError } from '../errors/sentences.ts';

// The schema is in an object, since Nest treats an object with a method `transform` as a pipe.
const headersNamedBy = createParamDecorator(
  ({ headers: schema }: { headers: ZodObject }, context: ExecutionContext) => {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const named = Object.keys(schema.shape).map((name) => [name, headers[name.toLowerCase()]]);
    const given = Object.fromEntries(named) as Record<string, unknown>;
    const result = schema.safeParse(given);
    if (result.success) return result.data;
    throw validationError(result.error.issues.map((issue) => withRequired(issue, given)));
  },
);

/**
 * Parameter decorator: the request headers of a schema, by its names. A header that is sent twice
 * arrives as one text with commas, so only a schema for a list accepts it. An invalid header is
 * answered 400. The operation needs the same schema as `headers`.
 */
export const RequestHeaders = (schema: ZodObject): ParameterDecorator => headersNamedBy({ headers: schema });
