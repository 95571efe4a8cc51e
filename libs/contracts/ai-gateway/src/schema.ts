// Generated from openapi.json by `npm run contracts`. Do not edit.
export interface paths {
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** OAuth protected resource metadata */
        get: operations["protected_resource_metadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * OAuth protected resource metadata of a resource with a path
         * @description The path of `resource` follows the well-known path (RFC 9728); any other path answers 404.
         */
        get: operations["protected_resource_metadata_at"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health check */
        get: operations["health_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness check */
        get: operations["readiness_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The reason for which a request failed */
        FailureBody: {
            /** @description The reason as one sentence */
            error: string;
        };
        /** @description The state of the service */
        HealthBody: {
            [key: string]: string;
        };
        /** @description OAuth 2.0 Protected Resource Metadata (RFC 9728) */
        ProtectedResourceMetadata: {
            /** @description Identifier of this API. The `aud` of a token has this value or the audience of the deployment */
            resource: string;
            /** @description Issuers whose access tokens are accepted; absent while there is none */
            authorization_servers?: string[];
            /**
             * @example [
             *       "header"
             *     ]
             */
            bearer_methods_supported: string[];
            /** @description Keys for the verification of signatures of this API; absent if it does not sign */
            jwks_uri?: string;
            /**
             * @example [
             *       "openid",
             *       "profile",
             *       "email"
             *     ]
             */
            scopes_supported: string[];
            /** @description Name of this API */
            resource_name: string;
            /** @description Address of the reference of this API */
            resource_documentation: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    protected_resource_metadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://gatehouse.example.com",
                     *       "authorization_servers": [
                     *         "https://id.example.com"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ],
                     *       "scopes_supported": [
                     *         "openid",
                     *         "profile",
                     *         "email"
                     *       ],
                     *       "resource_name": "Gatehouse",
                     *       "resource_documentation": "https://gatehouse.example.com/api/doc"
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this deployment does not publish protected resource metadata"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    protected_resource_metadata_at: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example gatehouse */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://example.com/gatehouse",
                     *       "authorization_servers": [
                     *         "https://id.example.com"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ],
                     *       "scopes_supported": [
                     *         "openid",
                     *         "profile",
                     *         "email"
                     *       ],
                     *       "resource_name": "Gatehouse",
                     *       "resource_documentation": "https://gatehouse.example.com/api/doc"
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "path: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "no protected resource of this deployment has this path"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    health_check: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["HealthBody"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    readiness_check: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": components["schemas"]["HealthBody"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not ready: database"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
}
