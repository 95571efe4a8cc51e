// Generated from openapi.json by `npm run contracts`. Do not edit.
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './schema.ts';

/**
 * A typed client of ai-gateway-mgmt: every path, parameter, body and answer as its OpenAPI document
 * says.
 * @param options `baseUrl`, and `fetch` or `headers` where needed
 */
export const createClient = (options: ClientOptions): Client<paths> => createFetchClient<paths>(options);
