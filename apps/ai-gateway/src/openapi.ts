import { generateOpenApi, type OpenApiDocument } from '@gatehouse/service-kit/openapi';
import { AppModule } from './app.module.ts';
import { SERVICE } from './service.ts';

/** The OpenAPI document of this service; needs no configuration and starts nothing. */
export const openApiDocument = (): Promise<OpenApiDocument> => generateOpenApi({ ...SERVICE, module: AppModule });
