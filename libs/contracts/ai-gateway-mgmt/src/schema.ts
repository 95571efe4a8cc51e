// Generated from openapi.json by `npm run contracts`. Do not edit.
export interface paths {
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
    "/v1/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the owning gateway's identity */
        get: operations["Gateway_identity"];
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
        /** @description Why a request failed */
        FailureBody: {
            /** @description Machine code */
            error: string;
            requestId: string;
            violations: components["schemas"]["Violation"][];
        };
        /** @description The owning gateway, from the configuration of this instance */
        GatewayIdentity: {
            name: string;
            namespace: string;
        };
        /** @description State of the service */
        HealthBody: {
            [key: string]: string;
        };
        Violation: {
            /** @description JSON pointer (RFC 6901) */
            field: string;
            message: string;
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
    health_check: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
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
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthBody"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    readiness_check: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
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
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthBody"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Gateway_identity: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
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
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatewayIdentity"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
}
