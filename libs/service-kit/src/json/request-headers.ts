import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ZodObject } from 'zod';
import { withRequired } from './schema-check.ts';
import { validationError } from '../errors/sentences.ts';

// The schema is inside of an object, because Nest takes every object with a method `transform`,
// which schemas have, for a pipe.
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
 * Parameter decorator: the request headers that a schema names, by those names. A header that is
 * sent twice arrives as its values with commas between, and so breaks any schema that does not
 * expect a list. What does not fit is 400 and names the header. Give the operation the same schema
 * as `headers`.
 */
export const RequestHeaders = (schema: ZodObject): ParameterDecorator => headersNamedBy({ headers: schema });
