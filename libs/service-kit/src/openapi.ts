import type { DynamicModule, Type } from '@nestjs/common';
import type { ServiceInfo } from './start.ts';

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = { openapi: string; paths: Record<string, Record<string, unknown>> } & Record<
  string,
  unknown
>;

/** The OpenAPI document of a module, without starting anything it holds (no database, no port). The same code gives the same bytes. */
export declare function generateOpenApi(
  service: ServiceInfo & { module: Type | DynamicModule },
): Promise<OpenApiDocument>;
