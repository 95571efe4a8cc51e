// Generated from openapi.json by `npm run contracts`. Do not edit.
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './schema.ts';

/**
 * Creates a typed client of ai-gateway. Paths, parameters, bodies and responses are those of its
 * OpenAPI document.
 * @param options `baseUrl`, and optionally `fetch` or `headers`
 */
export const createClient = (options: ClientOptions): Client<paths> => createFetchClient<paths>(options);
